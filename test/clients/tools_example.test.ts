/** clients/examples/tools.ts as a program outside this repository: compiled against the types of `neta-gateway/tools`, run with the build. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { type MockModel, startMockModel } from '../support/mock_model';

const ROOT = join(__dirname, '../..');

let model: MockModel;
let directory: string;
beforeAll(async () => {
  model = await startMockModel();
  directory = await mkdtemp(join(tmpdir(), 'neta-tools-example-'));
  await mkdir(join(directory, 'node_modules'));
  await symlink(ROOT, join(directory, 'node_modules/neta-gateway'));
  await copyFile(join(ROOT, 'clients/examples/tools.ts'), join(directory, 'tools.mts'));
});
afterAll(async () => {
  await model?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Compiles the example with the options that the guide names. Returns the mistakes. */
function compile(): string[] {
  const program = ts.createProgram([join(directory, 'tools.mts')], {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2024.d.ts'],
    module: ts.ModuleKind.Node20,
    strict: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  });
  const file = program.getSourceFile(join(directory, 'tools.mts'));
  program.emit(file);
  const problems = [...program.getOptionsDiagnostics(), ...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  return problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

it('compiles, offers its tools to a model, runs the calls and prints their results (nanoclaw.define, nanoclaw.executor)', async () => {
  expect(compile()).toEqual([]);
  const calls = [
    { id: 'call_a', name: 'population', arguments: { city: 'Oslo' } },
    { id: 'call_b', name: 'visit', arguments: { city: 'Lima' } },
    { id: 'call_c', name: 'population', arguments: { town: 'Oslo' } },
    { id: 'call_d', name: 'fly', arguments: {} },
  ];
  model.onTurn('tell me of Oslo', { toolCalls: calls }, 'That is all.');
  const { stdout } = await promisify(execFile)(process.execPath, ['tools.mjs', 'tell me of Oslo'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', OPENAI_MODEL: 'some-model' },
  });
  expect(stdout).toContain(
    'call_a: 717710 people live in Oslo.\ncall_b: Visited so far: Lima.\ncall_c: The arguments of population are not',
  );
  expect(stdout).toContain('call_d: There is no tool "fly". Available tools: population, visit.\nThat is all.\n');
  const [first, second] = model.requests('tell me of Oslo');
  expect(first?.toolNames).toEqual(['population', 'visit']);
  expect(first?.body).toMatchObject({ model: 'some-model', tool_choice: 'auto' });
  expect(second?.toolResults).toHaveLength(4);
});
