/** A change of models.yaml while the model is answering. */
import { type ModelBench, startModelBench, TWO_MODELS } from '../support/model_bench';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: ModelBench;

afterEach(() => bench?.stop());

const idsOf = async () => (await bench.rest.request<PageBody<{ id: string }>>('GET', '/models')).body.data.map(({ id }) => id).join();

it.each([
  [
    'another field for its limit',
    TWO_MODELS.replace('model: model-a', 'model: model-a, maxTokensField: max_tokens').replace('id: b', 'id: c'),
  ],
  ['no place in the file', 'models: [ { id: c, baseUrl: "{b}", model: model-b } ]'],
])(
  'a model that gets %s finishes its answer',
  async (_change, changed) => {
    bench = await startModelBench({ models: TWO_MODELS });
    bench.a.onTurn('story', { text: 'Once upon a time there was a change.', chunkSize: 4, pauseAfter: 2 });
    const client = await bench.connect();
    const { runId } = await client.chat('story');
    await client.waitForText(runId, 'Once upo');
    await bench.writeModels(changed.replace('[a, b]', '[a, c]'));
    await until(async () => (await idsOf()).endsWith('c'));
    bench.a.resume();
    expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'Once upon a time there was a change.' });
  },
  20_000,
);
