/** The message of a `BulkTaskNotFoundError`, which does not tell a task of another tenant from none. */
export const taskNotFound = (id: string): string =>
  `The tenant has no bulk task with the id "${id}": list its tasks to find the right one`;
