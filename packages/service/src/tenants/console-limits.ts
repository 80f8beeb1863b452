export const consoleLimits = {
  sessionHours: 12,
  /** Sessions that use one token; a further one ends the oldest. */
  sessionsOfToken: 20,
  tenantsOfSession: 20,
  /** Seconds for which a one-time code is good. */
  codeSeconds: 60,
  /** Codes of one token that wait to be used; a further one replaces the oldest. */
  codesOfToken: 5,
  /**
   * Sessions and codes that one token may make in an hour, at one process. Each session writes at most two entries into
   * the audit trail, which is never shortened: this is what bounds its growth by tokens that may only read.
   */
  openedPerHour: 60,
  /** Requests about itself that one session may send in a minute, to one process. */
  requestsPerMinute: 120,
  /** Bytes of the body of a request for a session. */
  requestBytes: 4_096,
} as const;
