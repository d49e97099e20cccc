import type { SearchOptions, WebAccess } from '../../src/port/web';
import { searchSources } from '../../src/tools/web_research';

it('a key is sent to its own engine alone', async () => {
  const asked: SearchOptions[] = [];
  const web = {
    async search(_query: string, _maxResults: number, _signal: AbortSignal, options: SearchOptions) {
      asked.push(options);
      return { provider: options.engine ?? '', hits: [] };
    },
  } as unknown as WebAccess;
  const options = { sources: ['brave', 'tavily'], maxResults: 5, locale: 'en' as const, signal: new AbortController().signal };
  await searchSources(web, ['peas'], { ...options, key: { engine: 'brave', value: 'b-123456' } });
  expect(asked).toEqual([{ engine: 'brave', apiKey: 'b-123456' }, { engine: 'tavily' }]);
});
