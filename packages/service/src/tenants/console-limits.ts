export const consoleLimits = {
  sessionHours: 12,
  /** Sessions per token; a further one ends the oldest. */
  sessionsOfToken: 20,
  tenantsOfSession: 20,
  /** Lifetime of a one-time code, in seconds. */
  codeSeconds: 60,
  /** Unused codes per token; a further one replaces the oldest. */
  codesOfToken: 5,
  /**
   * Sessions and codes per token, hour and process. Each session writes up to two entries to the audit trail, which is
   * never pruned: this bounds its growth by read-only tokens.
   */
  openedPerHour: 60,
  /** Requests a session may make about itself, per minute and process. */
  requestsPerMinute: 120,
  /** Body size of a request for a session, in bytes. */
  requestBytes: 4_096,
} as const;
