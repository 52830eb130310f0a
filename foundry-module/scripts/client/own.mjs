/**
 * A field of a record from the wire, and never something that every object has (`constructor`, `__proto__`).
 *
 * @template Value
 * @param {Readonly<Record<string, Value>> | null | undefined} fields
 * @param {string} key
 * @returns {Value | undefined}
 */
export function own(fields, key) {
  return fields !== null && fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/**
 * A record from pairs whose keys came from elsewhere: `__proto__` becomes a plain field.
 *
 * @template Value
 * @param {Iterable<readonly [string, Value]>} pairs
 * @returns {Record<string, Value>}
 */
export function record(pairs) {
  return Object.fromEntries(pairs);
}
