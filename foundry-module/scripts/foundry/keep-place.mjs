export { keepPlace } from "../cards/keep-place.mjs";
