/** Explanations of Node's network errors, by code; they follow the name of the request's target. */
const networkErrors: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host has no address",
  EAI_AGAIN: "the address of its host could not be looked up",
  ECONNREFUSED: "its host refused the connection",
  ECONNRESET: "its host closed the connection",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its host cannot be reached",
  ETIMEDOUT: "its host did not answer",
};

/** The same for errors that a retry would meet again. */
const lastingErrors: Readonly<Record<string, string>> = {
  EPROTO: "its host does not speak TLS at this port, or no version of it that is accepted",
  CERT_HAS_EXPIRED: "the certificate of its host has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate of its host is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate of its host comes from an authority that is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the certificate of its host comes from an authority that is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its host does not send the certificates between its own and a trusted one",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate of its host is for another host",
};

export const explainedNetworkError = (code: string): string | undefined =>
  networkErrors[code] ?? lastingErrors[code.startsWith("ERR_SSL_") ? "EPROTO" : code];

export const mayPass = (code: string): boolean => networkErrors[code] !== undefined;
