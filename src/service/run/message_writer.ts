/** Names the writer of the message with which a run begins. */
import { LOCAL_KEY_NAME } from '../../port/principal';
import type { Door } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';

/** Doors whose runs no caller starts. */
const WITHOUT_CALLER: ReadonlySet<Door> = new Set(['job', 'hook', 'child']);

/** What a run says of its caller. */
export type MessageCaller = Partial<Pick<RunRecord, 'door' | 'keyName' | 'writtenBy'>>;

/** Returns the handle of the person, or the name of the key. Undefined for a run that no caller started, and for the caller of a gateway without keys. */
export const writerOf = ({ door, keyName, writtenBy = keyName }: MessageCaller): string | undefined =>
  door !== undefined && WITHOUT_CALLER.has(door) ? undefined : shownWriter(writtenBy);

/** Returns the name of a caller; undefined for the caller of a gateway without keys. */
export const shownWriter = (keyName: string | undefined): string | undefined => (keyName === LOCAL_KEY_NAME ? undefined : keyName);
