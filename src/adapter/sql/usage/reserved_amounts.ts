/** Sums of what active runs have reserved. */
import { sql } from 'kysely';

/** Adds up what the runs have reserved beyond what they have used. */
export const unused = (reserved: string, spent: string) => {
  const [kept, used] = [sql.ref(reserved), sql.ref(spent)];
  return sql<number>`coalesce(sum(case when ${kept} > ${used} then ${kept} - ${used} else 0 end), 0)`;
};
