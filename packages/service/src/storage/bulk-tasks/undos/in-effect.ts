/** Most undos in a row, each of the one before; docs/limits.md lists it. */
export const undosInRow = 100;

/**
 * True for an undo that has taken nothing back any more, because it was undone as a whole, by an undo that was not
 * undone itself as a whole, and so on; an SQL condition. Of several undos of one task the newest counts, as it was
 * created when none of the others was in effect. Each tells whether the one before is in effect: an odd number of
 * links ends in an undo that is.
 */
export const wasUndone = (undo: string) =>
  `(WITH RECURSIVE chain (id, links) AS (
    SELECT ${undo}.id, 0
    UNION ALL
    SELECT w.id, c.links + 1 FROM chain c CROSS JOIN LATERAL (
      SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = ${undo}.tenant_id AND r.of_task = c.id
        AND r.kind = 'undo' AND r.status = 'complete' AND r.failed = 0
      ORDER BY r.id DESC LIMIT 1) w WHERE c.links <= ${undosInRow}
  ) SELECT max(links) % 2 = 1 FROM chain)`;

/** True for an undo that has taken something back, not one that has left every operation; an SQL condition. */
export const hasTakenBack = (undo: string) => `${undo}.succeeded + ${undo}.partial > 0`;

/** True for a task of which an undo that is in effect has taken something back; an SQL condition. */
export const isTakenBack = (task: string) =>
  `EXISTS (SELECT FROM bulk_tasks u WHERE u.tenant_id = ${task}.tenant_id AND u.of_task = ${task}.id
  AND u.kind = 'undo' AND ${hasTakenBack("u")} AND NOT ${wasUndone("u")})`;

/** A value of the newest undo `u` of a task that has taken something back, or is about to; an SQL expression. */
export const undoInEffect = (task: string, value = "u.id") =>
  `(SELECT ${value} FROM bulk_tasks u WHERE u.tenant_id = ${task}.tenant_id AND u.of_task = ${task}.id
  AND u.kind = 'undo' AND (u.ended_at IS NULL OR ${hasTakenBack("u")}) AND NOT ${wasUndone("u")}
  ORDER BY u.id DESC LIMIT 1)`;

/** The condition that an undo `u` has taken back all that its task has done. */
export const isWhole = "u.status = 'complete' AND u.failed = 0";

/** The id of the newest undo of a task, of one of these undos, and so on; an SQL expression. */
export const newestUndo = (task: string) =>
  `(WITH RECURSIVE undos (id) AS (
    SELECT ${task}.id
    UNION ALL
    SELECT r.id FROM undos u JOIN bulk_tasks r ON r.tenant_id = ${task}.tenant_id AND r.of_task = u.id
      AND r.kind = 'undo'
  ) SELECT max(id) FROM undos WHERE id <> ${task}.id)`;
