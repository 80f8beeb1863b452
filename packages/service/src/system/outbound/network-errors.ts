/** Explanations of the network errors of Node, by their codes; they go on after the name of what was asked for. */
export const networkErrors: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host has no address",
  EAI_AGAIN: "the address of its host could not be looked up",
  ECONNREFUSED: "its host refused the connection",
  ECONNRESET: "its host closed the connection",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its host cannot be reached",
  ETIMEDOUT: "its host did not answer",
};
