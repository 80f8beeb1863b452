/** Says when a task ended and how far it had come, for its `stack`; an SQL expression within the UPDATE that ends it. */
export const whenItEnded = `
  'Ended at ' || to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
  CASE WHEN validated_at IS NULL THEN ' before the file was validated: no operation was executed'
    ELSE ' before /operations/' || cursor_index || ': ' || cursor_index || ' of ' || total ||
      ' operations had been executed' END`;
