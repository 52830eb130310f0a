/** How this page introduces itself to the bridge. @type {{name: string, version: string, kind: "page"}} */
export const INFO = { name: "Boonbridge table page", version: "as served", kind: "page" };
