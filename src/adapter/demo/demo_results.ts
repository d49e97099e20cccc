/** What the texts of tool results mean. They come in the session's language, whatever language the person writes. */

interface ListedEntry {
  name: string;
  isFile: boolean;
  size: string;
}

type ClarifyAnswer = { status: 'answered'; answer: string } | { status: 'unanswered' };

const ENTRY = /^(?<type>dir|file|link|other)\s+(?<size>-|[\d.,]+ ?[A-Za-z]*)\s{2}(?<name>.+)$/;
const ANSWERED = /^(?:The person answered|用户的回答)\s*[:：]\s*(?<answer>[\s\S]*)$/;
const UNANSWERED = /^(?:Nobody answered|The question was (?:withdrawn|handed)|无人在|问题(?:在得到回答之前)?已)/;

/** The entries of a list_dir result; undefined when the listing failed. Names of directories end with a slash. */
export function listedEntries(result: string): ListedEntry[] | undefined {
  const entries = result.split('\n').flatMap(line => {
    const groups = ENTRY.exec(line)?.groups;
    return groups ? [{ name: groups['name'] ?? '', isFile: groups['type'] === 'file', size: groups['size'] ?? '' }] : [];
  });
  const [header = ''] = result.split('\n');
  return entries.length > 0 || /is empty\.|是空目录/.test(header) ? entries : undefined;
}

/** The text of the file in a read_file result, without line numbers; undefined when reading failed. */
export function fileText(result: string): string | undefined {
  const [header = '', ...lines] = result.split('\n');
  if (/is empty\.$|是空文件。$/.test(header)) return '';
  const numbered = lines.filter(line => /^\s*\d+\|/.test(line));
  return numbered.length > 0 ? numbered.map(line => line.replace(/^\s*\d+\|/, '')).join('\n') : undefined;
}

/** Output of a bash result and whether the command ended well. */
export function commandOutcome(result: string): { ok: boolean; status: string; output: string } {
  const [status = '', ...output] = result.split('\n');
  return { ok: /^(?:Exit code|退出码) 0\b/.test(status), status, output: output.join('\n') };
}

export const isPatched = (result: string): boolean => /^(?:Changed|已修改) /.test(result);

export const isWritten = (result: string): boolean => /^(?:Created|Overwrote|已创建|已覆盖) /.test(result);

/** The diff of a patch result, without its headers; '' when it has none. */
export function diffOf(result: string): string {
  return result
    .split('\n')
    .slice(1)
    .filter(line => /^(?:[-+@ ])/.test(line) && !/^(?:---|\+\+\+) /.test(line))
    .join('\n');
}

export function clarifyAnswer(result: string): ClarifyAnswer {
  const answer = ANSWERED.exec(result)?.groups?.['answer'];
  if (answer !== undefined) return answer.trim() === '' ? { status: 'unanswered' } : { status: 'answered', answer: answer.trim() };
  return UNANSWERED.test(result) || result.trim() === '' ? { status: 'unanswered' } : { status: 'answered', answer: result.trim() };
}

export const asAnswer = (answer: string): string => `The person answered:\n${answer}`;
