/** A space-time diagram of the whole run, or of a window of it, on one page. */
import { pictureOf } from "../picture/picture.ts";
import { svgText } from "../picture/svg-text.ts";
import { type Exporter, gathered } from "./exporter.ts";

export const svg: Exporter = {
  name: "svg",
  ending: ".svg",
  begins: "<svg ",
  about: "a space-time diagram for browsers and documents",
  *pieces(source) {
    const scene = yield* pictureOf(source);
    yield* gathered(svgText(scene));
  },
};
