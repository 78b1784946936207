/** What is written to a board, and what a board must have for it. */
import { crc32 } from "../../../firmware/crc32.js";
import { profileNamed, shippedProfiles } from "../../bench-file/profiles.ts";
import { quote } from "../../errors.ts";
import { bundleFirmware } from "../firmware-bundle/bundle.ts";

export interface Image {
  /** The boot code: ASCII. */
  code: string;
  /** CRC-32 of it. */
  crc: number;
  /** Variables that the firmware takes at its busiest, with some to spare. */
  variables: number;
  /** Bytes of saved code: the boot code, the settings, and the heads of both files. */
  savedCode: number;
}

/** On the interpreter with 1700 variables: about 1005 at most with two elections, in rings of three. */
const VARIABLES = 1200;
/** One more for each election or mutual exclusion beyond two, about. */
const VARIABLES_PER_PROTOCOL = 60;
/** Settings of the largest ring of boards, and what the flash needs for its files. */
const SETTINGS_BYTES = 1024;

/** @param protocols names of loadableNames() */
export async function makeImage(protocols: readonly string[]): Promise<Image> {
  const code = await bundleFirmware(protocols);
  return {
    code,
    crc: crc32(code),
    variables: VARIABLES + VARIABLES_PER_PROTOCOL * Math.max(0, protocols.length - 2),
    savedCode: code.length + SETTINGS_BYTES,
  };
}

/** What a board says of itself before it has our firmware. */
export interface Espruino {
  /** `process.env.BOARD`. */
  board: string;
  version: string;
  /** Variables in all. */
  variables: number;
  /** It has E.CRC32. */
  crc: boolean;
}

/** @returns why the image does not fit on this board; null when it does, as far as can be told without trying */
export function misfit(image: Image, found: Espruino): string | null {
  const profile = profileOf(found.board);
  if (profile?.tooSmall) return `${profile.title} is too small: ${profile.tooSmall}`;
  if (!found.crc) return `${quote(found.board)} is too small a build: it has no E.CRC32`;
  if (!(found.variables >= image.variables)) {
    return `${quote(found.board)} is too small: it has ${found.variables} variables, the firmware needs ${image.variables}; try fewer --protocols`;
  }
  if (profile && profile.savedCode < image.savedCode) {
    return `${profile.title} has ${profile.savedCode} bytes for saved code, the firmware needs ${image.savedCode}; try fewer --protocols`;
  }
  return null;
}

/** Characters of a line that go into a board's input buffer with room to spare, however slowly it reads. */
export function lineRoom(board: string): number {
  return Math.min(512, Math.floor((profileOf(board)?.rxBuffer ?? 512) / 2));
}

function profileOf(board: string) {
  for (const [name, { espruinoBoards }] of shippedProfiles()) {
    if (espruinoBoards.includes(board)) return profileNamed(name);
  }
  return undefined;
}
