/** Checks of the running gateway that an operator asks for. Each check looks for one kind of problem and describes it in both languages. */
import type { StoreReader } from '../../port/store/store';
import type { Bilingual } from '../../utils/bilingual';

export interface Finding {
  status: 'ok' | 'warn' | 'fail';
  message: Bilingual;
}

/** Name of a check -> check. A check that cannot be made rejects. */
export type DoctorChecks = Readonly<Record<string, () => Promise<Finding>>>;

/** Name of a check -> check that needs only rows of the store. `now`: milliseconds since 1970. */
export type StoredChecks = Readonly<Record<string, (read: StoreReader, now: number) => Promise<Finding>>>;

/** Creates the finding of a check. */
export const found = (status: Finding['status'], en: string, zhCN: string): Finding => ({ status, message: { en, 'zh-CN': zhCN } });
