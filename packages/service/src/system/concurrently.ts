/** Maps values, a limited number of them at a time. After a failure no other begins; then throws it. */
export async function concurrently<Value, Made>(
  values: readonly Value[],
  atOnce: number,
  make: (value: Value) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  let next = 0;
  let hasFailed = false;
  const work = async () => {
    while (next < values.length && !hasFailed) {
      const at = next++;
      try {
        made[at] = await make(values[at]!);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, values.length) }, work));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return made;
}
