/** The demo's jobs: each is one visible step, does its calls, and resolves whether it worked. */
import { type Desk, fail, fenced, use, type Work } from './demo_desk';
import type { Intent } from './demo_parse';
import { clarifyAnswer, commandOutcome, diffOf, fileText, isPatched, isWritten, listedEntries } from './demo_results';
import { isVague, matchChoice, parseReplacement, type Replacement, trimWords } from './demo_words';

export interface Job {
  label: string;
  run: (desk: Desk) => Work<boolean>;
}

const MAX_CHOICES = 4;
const MAX_LISTED = 50;
const MAX_NAME = 1_000;

export const listJob = (desk: Desk, path: string | undefined): Job => ({
  label: desk.texts.steps.list(path),
  *run(desk) {
    const entries = yield* listFiles(desk, path);
    if (!entries) return false;
    const { texts, parts } = desk;
    if (entries.length === 0) parts.push(texts.empty(path));
    else {
      const lines = entries.slice(0, MAX_LISTED).map(({ name, isFile, size }) => `- \`${name}\`${isFile ? ` (${size})` : ''}`);
      if (entries.length > MAX_LISTED) lines.push('- …');
      parts.push(`${texts.listed(path, entries.length)}\n\n${lines.join('\n')}`);
    }
    return true;
  },
});

/** Has the person choose the file that a later job of the same request needs. */
export const chooseJob = (desk: Desk, forWhat: 'change' | 'read'): Job => ({
  label: desk.texts.steps.choose(forWhat),
  *run(desk) {
    if (!desk.files && !(yield* listFiles(desk, undefined))) return false;
    const { texts, parts, files = [] } = desk;
    if (files.length === 0) {
      parts.push(texts.noFiles);
      return false;
    }
    const choices = files.slice(0, MAX_CHOICES);
    const question = texts.whichFile(forWhat, files.length - choices.length);
    const answer = yield* askPerson(desk, question, choices);
    if (answer === 'impossible') return false;
    if (answer === undefined) parts.push(texts.noFileAnswer(files[0] ?? ''));
    desk.file = answer === undefined ? files[0] : fileNamedBy(answer, files);
    return true;
  },
});

export const readJob = (desk: Desk, named: string | undefined): Job => ({
  label: desk.texts.steps.read(named),
  *run(desk) {
    const path = named ?? desk.file;
    if (!path) return false;
    const text = yield* readFile(desk, path);
    if (text === undefined) return false;
    desk.file = path;
    desk.parts.push(text === '' ? desk.texts.emptyFile(path) : `${desk.texts.content(path)}\n\n${fenced(text)}`);
    return true;
  },
});

export const runJob = (desk: Desk, command: string): Job => ({
  label: desk.texts.steps.run(command),
  *run(desk) {
    const { texts, parts } = desk;
    const result = yield* use(desk, 'bash', { command }, texts.running(command));
    if (result === undefined) return false;
    const { ok, status, output } = commandOutcome(result);
    const shown = output.trim() === '' ? texts.noOutput : fenced(output);
    parts.push(ok ? `${texts.ran(command)}\n\n${shown}` : `${texts.failed(`\`${command}\``, status)}\n\n${shown}`);
    return ok;
  },
});

export const changeJob = (desk: Desk, intent: Extract<Intent, { kind: 'change' }>): Job => ({
  label: desk.texts.steps.change(intent.path),
  *run(desk) {
    const path = intent.path ?? desk.file;
    if (!path) return false;
    if (!desk.can('patch')) {
      desk.parts.push(desk.texts.notOffered('patch'));
      return false;
    }
    // Reading first shows the word's places; without the tool the edit itself will tell.
    const text = desk.can('read_file') ? yield* readFile(desk, path) : '';
    if (text === undefined) return false;
    desk.file = path;
    const pair = intent.pair ?? (yield* askPair(desk, path));
    if (!pair) return false;
    return yield* patchFile(desk, { path, pair, count: desk.can('read_file') ? text.split(pair.from).length - 1 : 1 });
  },
});

export const writeJob = (desk: Desk, { path, content }: Extract<Intent, { kind: 'write' }>): Job => ({
  label: desk.texts.steps.write(path),
  *run(desk) {
    const { texts, parts } = desk;
    const given = content ?? (yield* askPerson(desk, texts.whatContent(path), []));
    if (given === undefined) parts.push(texts.noContent(path));
    if (given === undefined || given === 'impossible') return false;
    const result = yield* use(desk, 'write_file', { path, content: given.endsWith('\n') ? given : `${given}\n` });
    if (result === undefined) return false;
    if (!isWritten(result)) return fail(desk, `\`${path}\``, result);
    desk.file = path;
    parts.push(texts.wrote(path));
    return true;
  },
});

export const askJob = (desk: Desk, { about, choices }: Extract<Intent, { kind: 'ask' }>): Job => ({
  label: desk.texts.steps.ask,
  *run(desk) {
    const { texts, parts, files = [] } = desk;
    const isAboutFiles = choices.length === 0 && files.length > 0 && (isVague(about) || /\b(?:which|file|one)\b|哪|文件/iu.test(about));
    const offered = isAboutFiles ? files.slice(0, MAX_CHOICES) : choices;
    const answer = yield* askPerson(desk, texts.ask(about), offered);
    if (answer === 'impossible') return false;
    if (answer === undefined) {
      parts.push(texts.unanswered);
      return false;
    }
    const chosen = matchChoice(answer, offered) ?? answer;
    if (isAboutFiles) desk.file = fileNamedBy(answer, files);
    parts.push(texts.answered(chosen));
    return true;
  },
});

export const rememberJob = (desk: Desk, fact: string): Job => ({
  label: desk.texts.steps.remember,
  *run(desk) {
    const { texts, parts } = desk;
    if (!desk.can('memory_save')) {
      parts.push(texts.noMemory);
      return false;
    }
    yield { name: 'memory_save', args: { action: 'save', content: fact.slice(0, 2_000) }, waits: true };
    parts.push(texts.remembered(fact));
    return true;
  },
});

export const recallJob = (desk: Desk, query: string): Job => ({
  label: desk.texts.steps.recall,
  *run(desk) {
    const { texts, parts } = desk;
    if (!desk.can('memory_recall')) {
      parts.push(texts.noMemory);
      return false;
    }
    const words = query === '' || /^(?:me|anything|什么|我|吗)$/iu.test(query) ? desk.request : query;
    const result = yield { name: 'memory_recall', args: { query: words.slice(0, 500) }, waits: true };
    parts.push(`${texts.recalled}\n\n${fenced(result)}`);
    return true;
  },
});

/** A plan item that the demo can only tick off. */
export const noteJob = (label: string): Job => ({
  label,
  // biome-ignore lint/correctness/useYield: it has nothing to call
  *run(desk) {
    desk.ticked += 1;
    return true;
  },
});

function* listFiles(desk: Desk, path: string | undefined) {
  const result = yield* use(desk, 'list_dir', path ? { path } : {});
  if (result === undefined) return undefined;
  const entries = listedEntries(result);
  if (!entries) {
    fail(desk, desk.texts.steps.list(path), result);
    return undefined;
  }
  const prefix = path && path !== '.' ? `${path.replace(/\/+$/, '')}/` : '';
  desk.files = entries.filter(({ name, isFile }) => isFile && !name.startsWith('.') && name.length < 200).map(({ name }) => prefix + name);
  return entries;
}

function* readFile(desk: Desk, path: string): Work<string | undefined> {
  const result = yield* use(desk, 'read_file', { path }, desk.texts.reading(path));
  if (result === undefined) return undefined;
  const text = fileText(result);
  if (text === undefined) fail(desk, desk.texts.steps.read(path), result);
  return text;
}

/** The answer, undefined when nobody answered, 'impossible' (and says so) when nobody can be asked. */
function* askPerson(desk: Desk, question: string, choices: readonly string[]): Work<string | undefined> {
  if (!desk.can('clarify')) {
    desk.parts.push(`${desk.texts.cannotAsk(question)} ${desk.texts.needsNames}`);
    return 'impossible';
  }
  const result = yield { name: 'clarify', args: { question, ...(choices.length > 0 && { choices: [...new Set(choices)] }) }, waits: true };
  const outcome = clarifyAnswer(result);
  return outcome.status === 'answered' ? outcome.answer : undefined;
}

/** Asks which word becomes which; once more when the answer does not say two. */
function* askPair(desk: Desk, path: string): Work<Replacement | undefined> {
  const { texts, parts } = desk;
  for (const question of [texts.whichWord(path), texts.whichWordAgain(path)]) {
    const answer = yield* askPerson(desk, question, []);
    if (answer === 'impossible') return undefined;
    if (answer === undefined) break;
    const pair = parseReplacement(answer);
    if (pair) return pair;
  }
  parts.push(texts.noPair(path));
  return undefined;
}

function* patchFile(desk: Desk, { path, pair, count }: { path: string; pair: Replacement; count: number }): Work<boolean> {
  const { texts, parts } = desk;
  if (pair.from === pair.to || count === 0) {
    parts.push(count === 0 ? texts.wordMissing(pair.from, path) : texts.sameWord(pair.from));
    return false;
  }
  const args = { path, old_string: pair.from, new_string: pair.to, ...(count > 1 && { replace_all: true }) };
  const result = yield* use(desk, 'patch', args);
  if (result === undefined) return false;
  if (!isPatched(result)) return fail(desk, texts.steps.change(path), result);
  const diff = diffOf(result);
  parts.push(texts.changed({ ...pair, path, count }) + (diff ? `\n\n${fenced(diff, 'diff')}` : ''));
  return true;
}

/** The file of the list that the answer means, or the name that the answer gives. */
function fileNamedBy(answer: string, files: readonly string[]): string {
  const known = matchChoice(answer, files);
  return known ?? /[^\s"'`“”‘’「」，,]+\.[A-Za-z0-9]{1,8}\b/u.exec(answer.slice(0, MAX_NAME))?.[0] ?? trimWords(answer.slice(0, MAX_NAME));
}
