/**
 * Ricart and Agrawala's mutual exclusion with implicit replies: to a station that asks itself, a request that
 * comes behind its own is the reply it still needs, since its sender needs it back. Two contenders exchange one REPLY.
 * Source: as ricart-agrawala.js; the variant is in textbooks that count k(N-1) + k(k-1)/2 + k(N-k) messages.
 * It rests on every station being there. Fence: (timestamp of the request, id).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { arrived, remove, waitsFor } from "../members.js";
import { answerAll, ask, defer, goesFirst, newState, onReply, tryToEnter } from "./ricart-agrawala.js";

/**
 * REQUEST timestamp.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  if (goesFirst(s, f)) {
    defer(s, f);
    if (s.wants && remove(s.ricart.missing, f.src)) tryToEnter(io, s);
  } else if (!s.wants) {
    message(io, s, "RIP", f.src, [/** @type {number} */ (f.args[0])], false);
  }
  // Else the own request is on its way to the sender, which will find it behind its own: that is the reply.
}

/** @type {import("../types.d.ts").Protocol} */
export const ricartAgrawalaImplicit = {
  name: "ricart-agrawala-implicit",
  create: function (s) {
    s.ricart = newState();
  },
  frames: {
    RIQ: { args: 1, fields: ["timestamp"], handle: onRequest, returned: arrived, message: "REQUEST" },
    RIP: { args: 1, fields: ["request"], handle: onReply, message: "REPLY" },
  },
  timers: {},
  mutex: {
    request: function (io, s) {
      ask(io, s, "RIQ");
    },
    release: function (io, s) {
      answerAll(io, s, "RIP");
    },
  },
  traits: { fence: ["timestamp", "id"], waits: (s) => waitsFor(s.ricart.missing, "REPLY") },
};
