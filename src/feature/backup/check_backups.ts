/** Says for the operator how old the newest backup is, and whether the schedule is kept. */
import type { StoreReader } from '../../port/store/store';
import { type Finding, found } from '../../service/status/doctor_checks';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export async function checkBackups({ backups }: Pick<StoreReader, 'backups'>, now: number): Promise<Finding> {
  const [newest, schedule] = [await backups.newest(), await backups.schedule()];
  const failure = schedule?.error === undefined ? ['', ''] : [` The last one failed: ${schedule.error}`, `最近一次失败：${schedule.error}`];
  if (!newest) {
    return found(
      failure[0] === '' ? 'ok' : 'warn',
      `There is no backup yet${schedule ? '; the first one is due.' : ': make one each day with neta backup --every 1d --keep 14.'}${failure[0]}`,
      `还没有备份${schedule ? '，首次备份即将进行。' : '：可用 neta backup --every 1d --keep 14 每天备份。'}${failure[1]}`,
    );
  }
  const age = now - newest.createdAt;
  const isLate = schedule !== undefined && age > 2 * schedule.everyMs;
  const [en, zh] = describeAge(age);
  return found(
    isLate || failure[0] !== '' ? 'warn' : 'ok',
    `The newest verified backup is ${en} old: ${newest.file} on ${newest.machine}${schedule ? '' : '. There is no schedule'}.${failure[0]}`,
    `最新的已校验备份距今 ${zh}：${newest.machine} 上的 ${newest.file}${schedule ? '' : '，没有定期备份'}。${failure[1]}`,
  );
}

function describeAge(age: number): [en: string, zhCN: string] {
  if (age < HOUR_MS) return [`${Math.max(0, Math.floor(age / MINUTE_MS))} min`, `${Math.max(0, Math.floor(age / MINUTE_MS))} 分钟`];
  if (age < 2 * DAY_MS) return [`${Math.floor(age / HOUR_MS)} h`, `${Math.floor(age / HOUR_MS)} 小时`];
  return [`${Math.floor(age / DAY_MS)} days`, `${Math.floor(age / DAY_MS)} 天`];
}
