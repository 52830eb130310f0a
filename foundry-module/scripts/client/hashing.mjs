/**
 * SHA-256 and HMAC-SHA-256, by the browser where it lets a page compute them, otherwise by an audited library that lies
 * beside this module. Browsers keep `crypto.subtle` from pages on plain http, and that is how many tables are played.
 */

/** As a word and not written out in `import`, so that no type check goes through code that is not ours. */
const LIBRARY = "../vendor/noble-hashes/";

/**
 * @typedef {object} Hashing
 * @property {(data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>} sha256
 * @property {(key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>} hmac with SHA-256
 */

/**
 * @param {SubtleCrypto | null | undefined} [subtle] null: without the browser's own
 * @returns {Promise<Hashing>}
 */
export async function hashing(subtle = globalThis.crypto?.subtle) {
  if (subtle) return ofBrowser(subtle);
  const [{ sha256 }, { hmac }] = await Promise.all([import(`${LIBRARY}sha2.js`), import(`${LIBRARY}hmac.js`)]);
  return {
    sha256: (data) => Promise.resolve(sha256(data)),
    hmac: (key, data) => Promise.resolve(hmac(sha256, key, data)),
  };
}

/**
 * @param {SubtleCrypto} subtle
 * @returns {Hashing}
 */
const ofBrowser = (subtle) => ({
  sha256: async (data) => new Uint8Array(await subtle.digest("SHA-256", data)),
  hmac: async (key, data) => {
    const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await subtle.sign("HMAC", imported, data));
  },
});
