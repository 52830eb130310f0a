/** What is only said with a roll itself, not while it is looked at beforehand. */

/** @import { TableModel } from "./model.mjs" */

import { readFaces } from "../cards/hand-dice.mjs";

/**
 * What is different since the same failed, where the bridge asked for it; and the faces of dice that lie on a real table.
 *
 * @param {{model: TableModel, mustSayChange: boolean, changed: string, faces: string}} state
 * @returns {{changed?: string, faces?: number[]}}
 */
export function withTheRoll({ model, mustSayChange, changed, faces }) {
  const read = model.option("manual_dice") === true ? readFaces(faces) ?? [] : [];
  const said = changed.trim();
  return { ...(mustSayChange && said !== "" && { changed: said }), ...(read.length > 0 && { faces: read }) };
}
