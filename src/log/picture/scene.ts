/**
 * A picture as a list of shapes in pixels, in the order in which they are painted. What makes a scene knows nothing of
 * what shows it: a file, an element of a page, or a canvas.
 */

/** What a shape means; a painter gives each its colours. */
export type Look =
  | "paper"
  | "grid"
  | "station"
  | "around"
  | "missing"
  | "token"
  | "frame"
  | "election"
  | "lost"
  | "cross"
  | "inside"
  | "duty"
  | "dead"
  | "out"
  | "stopped"
  | "trouble"
  | "event"
  | "title"
  | "words"
  | "name"
  | "tick"
  | "label"
  | "trouble-label";

export type Shape =
  | { kind: "rect"; look: Look; x: number; y: number; width: number; height: number; about?: string }
  | {
      kind: "line";
      look: Look;
      x1: number;
      y1: number;
      x2: number;
      y2: number;
      arrow?: boolean;
      about?: string;
    }
  /** A line through all points: x, y, x, y. */
  | { kind: "path"; look: Look; points: number[]; about?: string }
  | { kind: "dot"; look: Look; x: number; y: number; about?: string }
  | { kind: "text"; look: Look; x: number; y: number; text: string; anchor?: "start" | "middle" | "end" };

export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
}
