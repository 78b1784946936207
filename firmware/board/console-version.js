/** Version of the calls and records between host and board; a board says which one it speaks. */
export const CONSOLE_VERSION = 2;
