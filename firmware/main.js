/**
 * Boot file of a board. It pins the console, binds UART, LEDs, button and flash storage to `io`, and starts the station.
 *
 * Console, host to board: `\x10station.<command>(n, ...)`; the board answers `@<time>,ack,<n>`.
 * Console, board to host: `@<board time in µs>,<event>,<args>`, only while a host is attached: a port that
 * nobody reads would block `print` and stop the ring.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 * @typedef {import("./types.d.ts").Frame} Frame
 * @typedef {import("./types.d.ts").Protocol} Protocol
 * @typedef {{id: number, wiring?: string, uart?: string, baud?: number, options?: object}} Wiring
 * @typedef {Wiring & import("./board/outlets.js").Outlets} Config
 */
import { show, watchButton } from "./board/outlets.js";
import { decode, encode } from "./frame.js";
import { sayHello } from "./hello.js";
import { createReader, feed } from "./reader.js";
import { frameTypes, install } from "./registry.js";
import {
  boot,
  createStation,
  elect,
  handleFrame,
  handleTimer,
  release,
  request,
  sendText,
} from "./station.js";

/** Version of the calls and records between host and board. */
const CONSOLE_VERSION = 1;
/** The board prints for so long after the host was last heard, ms. */
const ATTACHED_MS = 5000;
const FILE = "ring.json";

/** @type {any} */
const flash = require("Storage");
/** @type {any} */
const crc32 = E.CRC32;
/** @type {any} */
let config = {};
/** @type {Station | null} */
let s = null;
/** @type {Serial | null} */
let uart = null;
/** @type {{[name: string]: any}} */
const deadlines = {};
const startedAt = getTime();
let heardHost = 0;
let bootId = 0;
let epochKnown = 0;

function nowMs() {
  return (getTime() - startedAt) * 1000;
}

/**
 * @param {string} text
 */
function say(text) {
  if (heardHost && nowMs() - heardHost < ATTACHED_MS)
    print("@" + Math.floor((getTime() - startedAt) * 1000000) + "," + text);
}

/** @type {Io} */
const io = {
  send: function (_s, frame) {
    const line = encode(frame, crc32);
    if (uart) uart.write(line);
    else say("tx," + line.substr(0, line.length - 1));
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
    if (event === "regenerated") epochKnown = /** @type {number} */ (a);
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
 * @param {(s: Station, arg: any) => void} act
 * @param {any} [arg]
 */
function run(act, arg) {
  if (!s) return;
  try {
    act(s, arg);
    show(config, s);
  } catch (e) {
    say("bad," + e);
  }
}

/**
 * @param {string} name
 */
function onTimer(name) {
  deadlines[name] = 0;
  run(function (station) {
    handleTimer(io, station, name);
  });
}

/**
 * A frame from the predecessor. Received frames are told to the host where it does not carry them itself.
 * @param {Station} station
 * @param {Frame} frame
 */
function take(station, frame) {
  if (uart) say("rx," + encode(frame, crc32).slice(0, -1));
  handleFrame(io, station, frame);
}

function openUart() {
  const serial = /** @type {any} */ (global)[config.uart];
  const reader = createReader(config.line || 512);
  serial.setup(config.baud, config.options);
  serial.on("data", function (/** @type {string} */ chunk) {
    run(function (station) {
      const before = JSON.stringify(reader.refused);
      feed(reader, chunk, crc32, frameTypes).forEach(function (frame) {
        take(station, frame);
      });
      if (JSON.stringify(reader.refused) !== before) say("bad," + JSON.stringify(reader.refused));
    });
  });
  uart = serial;
}

/** Starts the station anew with the stored configuration. */
function start() {
  Object.keys(deadlines).forEach(function (name) {
    io.disarm(/** @type {any} */ (s), name);
  });
  s = createStation(config.id, config.settings);
  run(function (station) {
    boot(io, station, bootId, epochKnown);
  });
}

/**
 * Answers a call of the host.
 * @param {number} n number of the call
 * @param {(s: Station) => void} [act]
 */
function answer(n, act) {
  heardHost = nowMs();
  say("ack," + n);
  if (act) run(act);
}

/** The calls of the host; each has the number that the answer repeats. */
const station = {
  /** The host is there, and knows this epoch. Also the heartbeat, and one exchange of the clocks. */
  attach: function (/** @type {number} */ n, /** @type {number} */ epoch) {
    if (epoch > epochKnown) epochKnown = epoch;
    answer(n);
    const flags = E.getErrorFlags ? E.getErrorFlags() : [];
    if (flags.length) say("bad," + flags.join("+"));
  },
  /** The host says that it goes. */
  detach: function (/** @type {number} */ n) {
    answer(n);
    heardHost = 0;
  },
  info: function (/** @type {number} */ n) {
    heardHost = nowMs();
    const memory = process.memory();
    say(
      "info," +
        n +
        "," +
        JSON.stringify({
          console: CONSOLE_VERSION,
          id: config.id,
          boot: bootId,
          board: process.env.BOARD,
          version: process.env.VERSION,
          serial: getSerial(),
          usage: memory.usage,
          total: memory.total,
          running: s ? 1 : 0,
          config: E.CRC32 ? crc32(JSON.stringify(config)) : 0,
        }),
    );
  },
  /** Stores a configuration and starts with it; the one that is running already changes nothing. */
  configure: function (/** @type {number} */ n, /** @type {string} */ json) {
    answer(n);
    const same = s && JSON.stringify(config) === JSON.stringify(JSON.parse(json));
    if (same) return;
    config = JSON.parse(json);
    flash.write(FILE, json);
    if (config.uart && !uart) openUart();
    start();
  },
  /** A frame from the hub. */
  frame: function (/** @type {number} */ n, /** @type {string} */ line) {
    answer(n, function (station) {
      const frame = decode(line, crc32, frameTypes);
      if (typeof frame === "string") io.record(station, "bad", frame);
      else handleFrame(io, station, frame);
    });
  },
  request: function (/** @type {number} */ n) {
    answer(n, function (station) {
      request(io, station);
    });
  },
  release: function (/** @type {number} */ n) {
    answer(n, function (station) {
      release(io, station);
    });
  },
  elect: function (/** @type {number} */ n) {
    answer(n, function (station) {
      elect(io, station);
    });
  },
  hello: function (/** @type {number} */ n) {
    answer(n, function (station) {
      sayHello(io, station);
    });
  },
  send: function (/** @type {number} */ n, /** @type {number} */ to, /** @type {string} */ text) {
    answer(n, function (station) {
      sendText(io, station, to, text);
    });
  },
};

/**
 * Power-up.
 * @param {Protocol[]} protocols those that this board carries
 */
export function powerUp(protocols) {
  // Else the console moves to the UART as soon as nobody reads USB, and talks into the ring.
  if (typeof USB !== "undefined") USB.setConsole(true);
  protocols.forEach(install);
  bootId = Math.abs((E.hwRand ? E.hwRand() : 0) + Math.floor(getTime() * 1000)) % 1000000;
  /** @type {any} */ (global).station = station;
  config = (flash.readJSON ? flash.readJSON(FILE, true) : 0) || {};
  if (E.srand) E.srand(bootId + (config.id || 0));
  watchButton(config, function (long) {
    run(function (station) {
      if (long) elect(io, station);
      else request(io, station);
    });
  });
  if (!config.settings) return;
  if (config.uart) openUart();
  start();
}
