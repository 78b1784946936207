/**
 * Boot file of a board. It pins the console, binds UART, LEDs, button and flash storage to `io`, and starts the station.
 *
 * Console, host to board: `\x10station.<command>(n, ...)`; the board answers `@<time>,ack,<n>*<check>`. The thousands of n
 * are a check of the arguments: to a call that came damaged the board answers `again,<n>`. One that it has done already,
 * whose answer was lost, it only answers once more.
 * Console, board to host: `@<board time in µs>,<event>,<args>*<check>`, only while a host is attached: a port that
 * nobody reads would block `print` and stop the ring.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 * @typedef {import("../types.d.ts").Protocol} Protocol
 * @typedef {{id: number, wiring?: string, uart?: string, baud?: number, options?: object}} Wiring
 * @typedef {Wiring & import("./outlets.js").Outlets} Config
 */

import { raiseEpoch } from "../epoch.js";
import { encode } from "../frame.js";
import { createReader, feed } from "../reader.js";
import { frameTypes, install } from "../registry.js";
import { sayHello } from "../ring/hello.js";
import {
  boot,
  createStation,
  elect,
  handleFrame,
  handleTimer,
  release,
  request,
  sendText,
} from "../station.js";
import { choose } from "./choices.js";
import { CHECKED, checkOf } from "./console-check.js";
import { CONSOLE_VERSION } from "./console-version.js";
import { takeLine } from "./hub-line.js";
import { show, watchButton } from "./outlets.js";
import { savedEpoch, saveEpoch } from "./saved-epoch.js";

/** The board prints for so long after the host was last heard, ms. */
const ATTACHED_MS = 5000;
const FILE = "ring.json";
/** In the place of a timer's number: it came due while the board stood still. */
const DUE = -1;

/** @type {any} */
const flash = require("Storage");
/** @type {any} */
const crc32 = E.CRC32;
/** @type {any} */
let config = {};
/**
 * The protocols to choose from. Each is made when a configuration names it: until then it takes no memory.
 * @type {{[name: string]: () => Protocol}}
 */
let choices = {};
/** CRC-32 of the configuration's text. */
let configCrc = 0;
/**
 * The station of this board. The flasher puts it, and `board`, in the place of every parameter `s` and `io`.
 * @type {any}
 */
let me = 0;
/** @type {any} */
let uart = 0;
/** @type {{[name: string]: any}} */
const deadlines = {};
const startedAt = getTime();
let heardHost = 0;
/** Number of the last call that was done. */
let lastCall = 0;
let bootId = 0;
/** Highest epoch that the host knows, or in which this board has made a token or entered; kept in flash. */
let epochKnown = 0;
/** The watch on the button; 0: none. */
let button = 0;
/** 0: it runs. Else it stands still, deaf and mute, and this is the number of the last call that came. */
let still = 0;

function nowMs() {
  return (getTime() - startedAt) * 1000;
}

/**
 * @param {string} text
 * @param {number} [loud] 1: also while the board stands still
 */
function say(text, loud) {
  if (heardHost && (!still || loud) && nowMs() - heardHost < ATTACHED_MS) {
    text = Math.floor((getTime() - startedAt) * 1000000) + "," + text;
    print("@" + text + "*" + checkOf(text, crc32).toString(36));
  }
}

/**
 * Keeps an epoch in flash: once for each that is made, never for a grant, since flash wears.
 * @param {any} epoch
 */
function learn(epoch) {
  if (!(epoch > epochKnown)) return;
  epochKnown = epoch;
  saveEpoch(epoch);
}

/** @type {Io & {send(s: Station, frame: Frame, heard: number): void}} */
const board = {
  /**
   * @param {Station} _s
   * @param {Frame} frame
   * @param {number} [heard] 1: the frame has come in, and the host is told, since it does not carry it itself
   */
  send: function (_s, frame, heard) {
    const line = encode(frame, crc32);
    if (uart && !heard) uart.write(line);
    else say((heard ? "rx," : "tx,") + line.slice(0, -1));
  },
  arm: function (_s, name, ms) {
    if (deadlines[name]) clearTimeout(deadlines[name]);
    deadlines[name] = setTimeout(onTimer, ms, name);
  },
  disarm: function (_s, name) {
    if (deadlines[name]) clearTimeout(deadlines[name]);
    deadlines[name] = 0;
  },
  record: function (_s, event, a, b, c) {
    if (event === "regenerated" || event === "enter") learn(a);
    say(
      event +
        (a === undefined ? "" : "," + a) +
        (b === undefined ? "" : "," + b) +
        (c === undefined ? "" : "," + c),
    );
  },
  now: nowMs,
  random: Math.random,
};

/**
 * Runs something of the station's and shows what it changed. No handler of a board may throw: it would be removed.
 * @param {(io: Io, s: Station, a: any, b: any) => void} act
 * @param {any} [a]
 * @param {any} [b]
 */
function run(act, a, b) {
  if (!me || still) return;
  try {
    act(board, me, a, b);
    show(me, config);
  } catch (e) {
    say("bad," + e);
  }
}

/**
 * @param {string} name
 */
function onTimer(name) {
  deadlines[name] = still ? DUE : 0;
  run(handleTimer, name);
}

function disarmAll() {
  Object.keys(deadlines).forEach(function (name) {
    board.disarm(me, name);
  });
}

/** A board that stands still goes on with the state it had: what came due meanwhile runs now. */
function goOn() {
  if (!still) return;
  const unheard = still;
  still = 0;
  if (me) say("fault,resume");
  // The host may wait for the answer to a call.
  say("nak," + unheard);
  board.disarm(me, "pause");
  Object.keys(deadlines).forEach(function (name) {
    if (deadlines[name] === DUE) board.arm(me, name, 0);
  });
}

/**
 * Bytes from the predecessor.
 * @param {Io} io
 * @param {Station} s
 * @param {string} chunk
 * @param {any} reader
 */
function takeBytes(io, s, chunk, reader) {
  const before = JSON.stringify(reader.refused);
  feed(reader, chunk, crc32, frameTypes).forEach(function (frame) {
    board.send(s, frame, 1);
    handleFrame(io, s, frame);
  });
  if (JSON.stringify(reader.refused) !== before) say("bad," + JSON.stringify(reader.refused));
}

function openUart() {
  const reader = createReader(config.line || 512);
  uart = /** @type {any} */ (global)[config.uart];
  uart.setup(config.baud, config.options);
  uart.on("data", function (/** @type {string} */ chunk) {
    run(takeBytes, chunk, reader);
  });
}

/**
 * Takes a configuration, and starts the station anew when it is a whole one. Nothing of the one before is left.
 * @param {string} json
 */
function configure(json) {
  const next = JSON.parse(json);
  const before = config;
  // The flasher leaves an id alone.
  if (!me || next.settings) config = next;
  if (!next.settings) return;
  configCrc = crc32(json);
  disarmAll();
  if (uart) {
    uart.removeAllListeners("data");
    uart.unsetup();
  }
  uart = 0;
  if (button) clearWatch(button);
  button = watchButton(config, function (long) {
    run(long ? elect : request);
  });
  choose(choices, config);
  if (config.uart) openUart();
  E.srand(bootId + config.id);
  me = createStation(config.id, config.settings);
  // A new station lights nothing.
  show(me, before);
  run(boot, bootId, epochKnown);
}

/**
 * The host has called. A damaged call is refused, and one that was done already is only answered once more: it may be the
 * one that made the board stand still.
 * @param {number} n number of the call; a person types one without a check
 * @param {any} [a]
 * @param {any} [b]
 * @returns {boolean} is it to be done?
 */
function isNew(n, a, b) {
  heardHost = nowMs();
  if (n < CHECKED) return true;
  if (((n / CHECKED) | 0) !== checkOf((n % CHECKED) + "," + a + "," + b, crc32) + 1) say("again," + n);
  else if (n === lastCall) say("ack," + n, 1);
  else return true;
  return false;
}

/**
 * Answers a new call and does what it asks for.
 * @param {number} n number of the call
 * @param {((io: Io, s: Station, a: any, b: any) => void) | 0} act 0: the caller does it
 * @param {any} [a]
 * @param {any} [b]
 * @returns {boolean} is it to be done?
 */
function answer(n, act, a, b) {
  if (!isNew(n, a, b)) return false;
  if (still) still = n;
  else {
    lastCall = n;
    say("ack," + n);
    if (act) run(act, a, b);
  }
  return !still;
}

/** The calls of the host; each has the number that the answer repeats. */
const station = {
  /**
   * The host is there, and knows this epoch. Also the heartbeat, and one exchange of the clocks. With `first` the board may
   * have booted without the host, and its station goes on from there.
   */
  attach: function (
    /** @type {number} */ n,
    /** @type {number} */ epoch,
    /** @type {number | undefined} */ first,
  ) {
    if (answer(n, 0, epoch, first)) {
      learn(epoch);
      if (first && me) raiseEpoch(me, epochKnown);
    }
    const flags = E.getErrorFlags();
    if (flags.length) say("bad," + flags.join("+"));
  },
  /** The host says that it goes: nobody else could wake the board. */
  detach: function (/** @type {number} */ n) {
    goOn();
    answer(n, 0);
    heardHost = 0;
  },
  /** The first call of a host, which may not know that an earlier one left the board standing still. */
  info: function (/** @type {number} */ n) {
    heardHost = nowMs();
    goOn();
    // Another host counts its calls anew.
    lastCall = n;
    const memory = process.memory();
    say(
      "info," +
        n +
        "," +
        JSON.stringify({
          console: CONSOLE_VERSION,
          id: config.id,
          boot: bootId,
          known: epochKnown,
          has: Object.keys(choices),
          board: process.env.BOARD,
          version: process.env.VERSION,
          serial: getSerial(),
          usage: memory.usage,
          total: memory.total,
          running: me ? 1 : 0,
        }),
    );
  },
  /** Stores a configuration and starts with it; the one that is running already changes nothing. */
  configure: function (/** @type {number} */ n, /** @type {string} */ json) {
    if (!answer(n, 0, json) || (me && crc32(json) === configCrc)) return;
    flash.write(FILE, json);
    configure(json);
  },
  frame: function (/** @type {number} */ n, /** @type {string} */ line) {
    answer(n, takeLine, line);
  },
  request: function (/** @type {number} */ n) {
    answer(n, request);
  },
  release: function (/** @type {number} */ n) {
    answer(n, release);
  },
  elect: function (/** @type {number} */ n) {
    answer(n, elect);
  },
  hello: function (/** @type {number} */ n) {
    answer(n, sayHello);
  },
  send: function (/** @type {number} */ n, /** @type {number} */ to, /** @type {string} */ text) {
    answer(n, sendText, to, text);
  },
  /** Runs a statement, of pins. One that is repeated runs again: its answer may have been an error. */
  evaluate: function (/** @type {number} */ n, /** @type {string} */ statement) {
    if (!isNew(n, statement) || still) return;
    try {
      new /** @type {any} */ (global).Function(statement)();
      say("ack," + n);
    } catch (e) {
      say("nak," + n + "," + e);
    }
  },
  /** What statements report with. */
  say: say,
  /**
   * A fault that the board makes of itself: hang, pause (a hang of `ms`), crash (its state is gone too), restart, and
   * resume, which ends the first two.
   */
  fault: function (/** @type {number} */ n, /** @type {string} */ kind, /** @type {number} */ ms) {
    if (!isNew(n, kind, ms)) return;
    if (kind === "resume") goOn();
    still = 0;
    lastCall = n;
    say("ack," + n);
    if (kind === "resume") return;
    if (kind === "crash") {
      disarmAll();
      me = 0;
    }
    still = n;
    if (ms) deadlines.pause = setTimeout(goOn, ms);
    // The interpreter starts anew once this call is done, and runs the saved code.
    if (kind === "restart") load();
  },
};

/**
 * Power-up.
 * @param {Protocol[]} core what every station needs
 * @param {{[name: string]: () => Protocol}} others those that this board carries beside the core
 */
export function powerUp(core, others) {
  // Else the console moves to the UART as soon as nobody reads USB, and talks into the ring.
  if (typeof USB !== "undefined") USB.setConsole(true);
  core.forEach(install);
  choices = others;
  bootId = Math.abs(E.hwRand() + Math.floor(getTime() * 1000)) % 1000000;
  epochKnown = savedEpoch();
  /** @type {any} */ (global).station = station;
  try {
    configure(flash.read(FILE) || "{}");
  } catch {
    // A file that was cut off is as good as none: the host sends a new one.
    config = {};
  }
}
