import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFailpoints } from '../../../../src/adapter/local/node/failpoints';

it('fails the first passes of a named point, and none of another', async () => {
  const failpoints = createFailpoints('run_end=fail:2,before_ack=delay:1');
  await expect(failpoints.reach('run_end')).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(failpoints.reach('run_end')).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(failpoints.reach('run_end')).resolves.toBeUndefined();
  await expect(failpoints.reach('before_ack')).resolves.toBeUndefined();
  expect(failpoints.reach('tool_intent')).toBeUndefined();
});

it.each(['run_end', 'run_end=explode', 'nowhere=crash'])('refuses %s', text => {
  expect(() => createFailpoints(text)).toThrow(`"${text}" is not point=crash`);
});

describe('with a file', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'neta-failpoints-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('arms nothing without the file, and counts the passes anew when the file is replaced', async () => {
    const path = join(directory, 'points');
    const failpoints = createFailpoints(`@${path}`);
    const replace = async (text: string) => {
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    };
    expect(failpoints.reach('run_end')).toBeUndefined();
    for (const text of ['run_end=fail', 'run_end=fail']) {
      // Two files with the same time of change count as one.
      await new Promise(resolve => setTimeout(resolve, 10));
      await replace(text);
      await expect(failpoints.reach('run_end')).rejects.toThrow();
      await expect(failpoints.reach('run_end')).resolves.toBeUndefined();
    }
    await rm(path);
    expect(failpoints.reach('run_end')).toBeUndefined();
    await replace('nonsense');
    expect(() => failpoints.reach('run_end')).toThrow('"nonsense" is not');
  });
});
