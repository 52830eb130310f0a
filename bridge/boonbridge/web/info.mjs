/** How this page introduces itself to the bridge. @type {{name: string, version: string, kind: "page"}} */
export const INFO = { name: "Boonbridge table page", version: "0.1.0", kind: "page" };
