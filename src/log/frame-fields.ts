/** Names of the arguments of each type of frame, for people. A last name that ends in "..." stands for all others. */
export const FRAME_FIELDS: { readonly [type: string]: readonly string[] } = {
  TOK: ["epoch", "hop", "grant"],
  ELN: ["election", "ids..."],
  CRD: ["election", "coordinator", "ids..."],
  CHE: ["election", "candidate"],
  CHD: ["election", "coordinator"],
  BEL: ["election"],
  BOK: ["election"],
  BCO: ["election"],
  AMP: ["epoch", "number"],
  PRB: ["origin", "number", "epoch", "marks"],
  PRG: ["origin", "epoch", "busy"],
  BCN: ["predecessor", "origin", "number"],
  DAT: ["text"],
  HEL: ["boot"],
};
