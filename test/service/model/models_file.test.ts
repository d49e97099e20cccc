/** Mistakes in models.yaml name file, field and line. */
import { parseYaml } from '../../../src/adapter/config/yaml_file';
import type { ConfigReader } from '../../../src/port/config_files';
import { readModelsFile } from '../../../src/service/model/models_file';

const filesWith = (text?: string): ConfigReader => ({
  readFile: async name => (text === undefined ? undefined : parseYaml(name, text)),
  readFolder: async () => [],
});
const MAIN = 'models:\n  - id: main\n    model: m\n';

it.each([
  ['models: []', /^models\.yaml: \/models: .*\(line 1\)\.$/],
  [`${MAIN}    apiKey: sk-secret`, /^models\.yaml: \/models\/0\/apiKey: there is no field apiKey \(line 4\)\.$/],
  [`${MAIN}    baseUrl: ftp://files`, /^models\.yaml: \/models\/0\/baseUrl: must be an http or https URL \(line 4\)\.$/],
  [`${MAIN}  - id: main\n    model: other`, /^models\.yaml: \/models\/1\/id: another model has the id "main" too \(line 4\)\.$/],
  [`${MAIN}    dialect: klingon`, /^models\.yaml: \/models\/0\/dialect: .*must be one of "openai", "gemini", .*, "tolerant" \(line 4\)\.$/],
  [`${MAIN}fallback: [main, backup]`, /^models\.yaml: \/fallback\/1: there is no model "backup"; choose from main \(line 4\)\.$/],
  [`${MAIN}fallback: [main, main]`, /^models\.yaml: \/fallback\/1: names "main" a second time \(line 4\)\.$/],
  [
    `${MAIN}    parameters: { extra: { stream: false } }`,
    /^models\.yaml: \/models\/0\/parameters\/extra\/stream: cannot be set here; .*\(line 4\)\.$/,
  ],
  [`${MAIN}    parameters:\n      temperature: warm`, /^models\.yaml: \/models\/0\/parameters\/temperature: .*\(line 5\)\.$/],
])('refuses %j', async (text, message) => {
  await expect(readModelsFile(filesWith(text))).rejects.toThrow(message);
});

it('reads other names of parameters, and the thinking levels by the name of their style', async () => {
  const set = await readModelsFile(filesWith(`${MAIN}    parameters: { max_tokens: 5, top_p: 0.5, stop: END }\n    reasoning: thinking`));
  expect(set?.models).toEqual([
    {
      id: 'main',
      model: 'm',
      parameters: { maxOutputTokens: 5, topP: 0.5, stop: ['END'] },
      reasoning: { off: { thinking: { type: 'disabled' } }, high: { thinking: { type: 'enabled' } } },
    },
  ]);
});

it('is undefined without the file', async () => {
  expect(await readModelsFile(filesWith())).toBeUndefined();
});
