/** Every `@example` in a comment of src is a whole file that could lie beside the commented one. The compiler checks each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..');
const SRC = join(ROOT, 'src');

interface Example {
  /** Relative to the repository. */
  source: string;
  /** Number of the first line of the code, from 1. */
  line: number;
  code: string;
  /** Absolute path of the file that the code is compiled as. Default: a file beside the source. */
  path?: string;
}

/** The code from `@example` to the end of the comment or to the next tag. A tag begins with a small letter, a decorator with a capital one. */
function examplesIn(source: string, text: string): Example[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) =>
    [...comment.matchAll(/^[ \t]*\* @example[ \t]*\n([\s\S]*?)(?=^[ \t]*\*(?:\/| @[a-z]))/gm)].map(match => ({
      source,
      line: text.slice(0, index + match.index).split('\n').length + 1,
      code: (match[1] ?? '').replace(/^[ \t]*\* ?/gm, ''),
    })),
  );
}

/** `FILE:LINE message` of each mistake, with the line in the source that holds the example. */
function problemsOf(examples: readonly Example[]): string[] {
  const byPath = new Map(
    examples.map((example, index) => [example.path ?? join(ROOT, dirname(example.source), `example_${index}.ts`), example]),
  );
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config, ts.sys, ROOT);
  const checked = { ...options, noEmit: true, incremental: false, noUnusedLocals: false, tsBuildInfoFile: undefined };
  const host = ts.createCompilerHost(checked);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = path => byPath.has(path) || fileExists(path);
  host.readFile = path => byPath.get(path)?.code ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const example = byPath.get(path);
    return example ? ts.createSourceFile(path, example.code, version, true) : getSourceFile(path, version, ...rest);
  };
  const program = ts.createProgram([...byPath.keys()], checked, host);
  return [...byPath].flatMap(([path, { source, line }]) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(({ start = 0, messageText }) => {
      const at = file?.getLineAndCharacterOfPosition(start).line ?? 0;
      return `${source}:${line + at} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}

/** The code of the guide that stands below the name of its file, where that file is not there yet. */
function guideExamples(source: string): Example[] {
  const text = readFileSync(join(ROOT, source), 'utf8');
  const blocks = text.matchAll(/`(src\/[\w/]+\.ts)`[^`]*\n\n```ts\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(({ 0: block, 1: path = '', 2: code = '', index }) => {
    const line = text.slice(0, index + block.indexOf('```ts')).split('\n').length + 1;
    return ts.sys.fileExists(join(ROOT, path)) ? [] : { source, line, code, path: join(ROOT, path) };
  });
}

const BROKEN = ['/**', ' * Adds.', ' * @example', ' * const one: number = 1;', " * const two: number = 'two';", ' * @returns a sum', ' */'];
const GUIDE = 'docs/guides/write-a-tool.md';

describe('code in comments and in the tool guide', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
  const ofComments = files.flatMap(name => examplesIn(relative(ROOT, join(SRC, name)), readFileSync(join(SRC, name), 'utf8')));
  const ofGuide = guideExamples(GUIDE);
  let problems: readonly string[];

  // One program for all, because most of the time goes into reading the types that they share.
  beforeAll(() => {
    problems = problemsOf([...ofComments, ...ofGuide, ...examplesIn('broken.ts', BROKEN.join('\n'))]);
  });

  it('compiles: every @example of src', () => {
    const documented = ofComments.map(({ source }) => source);
    const expected = ['common', 'agent_tool_decorator', 'registry', 'tool_exports'].map(name => `src/tools/${name}.ts`);
    expect(documented).toEqual(expect.arrayContaining(expected));
    expect(problems.filter(problem => problem.startsWith('src/'))).toEqual([]);
  });

  it('compiles: the tools of the guide, which are the same in both languages', () => {
    expect(ofGuide.map(({ path = '' }) => relative(ROOT, path))).toEqual(['src/tools/builtin/word_count.ts', 'src/session_tools.ts']);
    const codeOf = (examples: readonly Example[]) => examples.map(({ code }) => code);
    expect(codeOf(guideExamples(GUIDE.replace('.md', '.zh-CN.md')))).toEqual(codeOf(ofGuide));
    expect(problems.filter(problem => problem.startsWith('docs/'))).toEqual([]);
  });

  it('reports a mistake with its line in the source', () => {
    expect(problems.filter(problem => problem.startsWith('broken.ts'))).toEqual([expect.stringMatching(/^broken\.ts:5 .*not assignable/)]);
  });
});
