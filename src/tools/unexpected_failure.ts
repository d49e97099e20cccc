import { type Bilingual, inBoth } from '../utils/bilingual';
import { clipText } from '../utils/clip_text';

const MAX_UNITS = 500;

/** Says that a tool threw. An error of the gateway brings its Chinese message; the words of anything else are quoted as they are. */
export function unexpectedFailure(name: string, thrown: unknown): Bilingual {
  const words = clipText(thrown instanceof Error ? thrown.message : String(thrown), MAX_UNITS);
  const { messageZh } = (thrown ?? {}) as { messageZh?: unknown };
  const zhCN = typeof messageZh === 'string' ? `：${clipText(messageZh, MAX_UNITS)}` : `，原始错误信息：“${words}”`;
  return inBoth(`${name} failed unexpectedly: ${words}`, `${name} 意外失败${zhCN}`);
}
