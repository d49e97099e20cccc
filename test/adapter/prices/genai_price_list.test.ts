import { readFileSync } from 'node:fs';
import { createPriceList, PRICE_LIST } from '../../../src/adapter/prices/genai_price_list';

const list = createPriceList();
const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 1_000_000 };

it('finds the price of a model by its name and server, cached tokens at their own', () => {
  expect(list.findCost({ model: 'gpt-5-mini' }, usage)).toBe(0.6 * 0.25 + 0.01 + 2);
  expect(list.findCost({ model: 'gpt-5-mini', baseUrl: 'https://api.openai.com/v1' }, { inputTokens: 1_000, outputTokens: 0 })).toBe(
    0.00025,
  );
  expect(list.findCost({ model: 'deepseek-chat', baseUrl: 'https://api.deepseek.com/v1' }, usage)).toBeGreaterThan(0);
});

it('knows no price for an unknown model, an unknown server and a server on this machine', () => {
  expect(list.findCost({ model: 'nonsense-7b' }, usage)).toBeUndefined();
  expect(list.findCost({ model: 'gpt-5-mini', baseUrl: 'https://models.example.com/v1' }, usage)).toBeUndefined();
  expect(list.findCost({ model: 'gpt-5-mini', baseUrl: 'http://127.0.0.1:8000/v1' }, usage)).toBeUndefined();
});

it('describes a price with the list and the day that it comes from', () => {
  expect(list.describe({ model: 'gpt-5-mini' })).toEqual({ price: { input: 0.25, output: 2, cachedInput: 0.025 }, ...PRICE_LIST });
  expect(list.describe({ model: 'nonsense-7b' })).toBeUndefined();
  expect(list.describe({ model: 'gpt-5-mini', baseUrl: 'http://127.0.0.1:8000/v1' })).toBeUndefined();
});

it('names the version of the list that is installed: a new version needs its day too', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  expect(PRICE_LIST.priceList).toBe(`genai-prices ${dependencies['@pydantic/genai-prices']}`);
});
