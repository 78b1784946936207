/** Members of Espruino's built-in objects: anything else on them does not exist. */
export const STATICS: Readonly<Record<string, readonly string[]>> = {
  Array: ["isArray"],
  ArrayBuffer: [],
  Boolean: [],
  Date: ["now", "parse"],
  Error: [],
  JSON: ["parse", "stringify"],
  Math: words(
    "E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos asin atan atan2 ceil cos exp floor log max min pow random",
    "round sign sin sqrt tan",
  ),
  Number: words("MAX_VALUE MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY"),
  Object: words(
    "assign create defineProperties defineProperty entries fromEntries getOwnPropertyDescriptor",
    "getOwnPropertyDescriptors getOwnPropertyNames getPrototypeOf keys setPrototypeOf values",
  ),
  Promise: ["all", "reject", "resolve"],
  String: ["fromCharCode"],
};

/** Methods that at least one of Espruino's built-in classes has. */
const METHODS = new Set(
  words(
    "concat every fill filter find findIndex forEach includes indexOf join map pop push reduce reverse shift slice some",
    "sort splice toString unshift charAt charCodeAt endsWith match padEnd padStart repeat replace replaceAll split",
    "startsWith substr substring toLowerCase toUpperCase trim toFixed apply bind call hasOwnProperty valueOf catch then",
    "exec test set subarray",
  ),
);

/** Old methods that wrap a string in HTML, and one that no program needs; their names are too common to refuse. */
const COMMON_WORDS = new Set(
  words(
    "anchor big blink bold compile constructor fixed fontcolor fontsize italics link small strike sub sup",
  ),
);

const CLASSES = [Array, String, Number, RegExp, Promise, Object, Function, Object.getPrototypeOf(Uint8Array)];

/** Methods of the standard's classes that none of Espruino's has, or (lastIndexOf) that its arrays lack. */
export const MISSING_METHODS: ReadonlySet<string> = new Set(
  CLASSES.flatMap((one) => Object.entries(Object.getOwnPropertyDescriptors(one.prototype)))
    .filter(([, property]) => typeof property.value === "function")
    .map(([name]) => name)
    .filter((name) => /^[a-z]/.test(name) && !METHODS.has(name) && !COMMON_WORDS.has(name)),
);

/** Globals of the language that Espruino has and that need no board. */
export const LANGUAGE_GLOBALS: readonly string[] = words(
  "undefined NaN Infinity Object Array String Number Boolean Math JSON Error parseInt parseFloat isNaN isFinite",
  "Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array ArrayBuffer DataView",
);

/** Globals of the language for the boot code alone: the rest of the firmware has no clock and no promises. */
export const BOOT_GLOBALS: readonly string[] = ["Date", "Promise"];

function words(...lines: string[]): string[] {
  return lines.join(" ").split(" ");
}
