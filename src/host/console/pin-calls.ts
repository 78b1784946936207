/**
 * What a board is told about its pins: statements of Espruino's own functions, one line each. Pin names are checked and
 * the rest are numbers, so that nothing else can get into a line. A board with a 256-byte receive buffer takes each whole.
 */

/** How Espruino names a pin, an LED or a button. */
export const PIN_NAME = /^(?:[A-Z]\d{1,2}|LED[1-9]?|BTN[1-9]?)$/;

export type PinMode = "input" | "input_pullup" | "input_pulldown" | "output" | "analog";

/** Ms for which a level must rest before it counts. */
const DEBOUNCE_MS = 10;

/**
 * Makes the helper that reports pins, and ends one that an earlier host has left: `w` has the watches, `i` the
 * intervals, `v` the last samples by pin. Its name is longer than any that the minified firmware has; nor does a statement
 * make any other global. Texts are in single quotes: a statement goes to the board as a string literal.
 */
export const INSTALL: readonly string[] = [
  "if(global.$pins)Object.keys($pins.w).forEach(function(k){clearWatch($pins.w[k])})",
  "if(global.$pins)Object.keys($pins.i).forEach(function(k){clearInterval($pins.i[k])})",
  "global.$pins={w:{},i:{},v:{}}",
  "$pins.s=function(n,v){station.say('pin,'+n+','+v)}",
];

/** Ends the helper. */
export const UNINSTALL: readonly string[] = [...INSTALL.slice(0, 2), "delete global.$pins"];

/** Asks whether the helper is there; that the host is there, every call tells the board. */
export const ALIVE = "$pins.w";

/** What a board without the helper says about a statement that needs it. */
export const NO_HELPER = /\$pins/;

export function modeCall(pin: string, mode: PinMode): string {
  return `pinMode(${named(pin)},'${mode}')`;
}

export function writeCall(pin: string, value: 0 | 1): string {
  return `digitalWrite(${named(pin)},${value})`;
}

/**
 * @param level 0 to 1
 * @param hz of the pulses; left out: a steady level where the pin has a converter for it
 */
export function analogWriteCall(pin: string, level: number, hz?: number): string {
  const freq = hz === undefined ? "" : `freq:${number(hz, 2)},`;
  return `analogWrite(${named(pin)},${number(level, 5)},{${freq}soft:true})`;
}

/** Reports the level now and at each change. */
export function watchCall(pin: string): string {
  const p = named(pin);
  return (
    `if(!$pins.w.${p})$pins.w.${p}=setWatch(function(e){$pins.s('${p}',e.state?1:0)},${p},` +
    `{repeat:true,edge:'both',debounce:${DEBOUNCE_MS}});$pins.s('${p}',digitalRead(${p})?1:0)`
  );
}

/**
 * Reports the voltage as 0 to 1023, at each change.
 * @param ms between two looks
 */
export function sampleCall(pin: string, ms: number): string {
  const p = named(pin);
  return (
    `if($pins.i.${p})clearInterval($pins.i.${p});$pins.v.${p}=-1;$pins.i.${p}=setInterval(function(){` +
    `var v=Math.round(analogRead(${p})*1023);if(v!=$pins.v.${p})$pins.s('${p}',$pins.v.${p}=v)},${number(ms, 0)})`
  );
}

function named(pin: string): string {
  if (!PIN_NAME.test(pin)) throw new RangeError(`${JSON.stringify(pin)} is no name of a pin`);
  return pin;
}

function number(value: number, digits: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no number for a pin`);
  return String(Number(value.toFixed(digits)));
}
