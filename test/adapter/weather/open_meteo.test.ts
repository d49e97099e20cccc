import { createOpenMeteo } from '../../../src/adapter/weather/open_meteo';
import type { FetchedPage } from '../../../src/port/web';
import { BERLIN, BERLIN_WEATHER } from '../../support/tool_rows';

describe('Open-Meteo', () => {
  const { signal } = new AbortController();
  const answering = (answers: { status?: number; body: object }[]) => {
    const asked: string[] = [];
    const fetch = async (url: string): Promise<FetchedPage> => {
      asked.push(url);
      const { status = 200, body } = answers[asked.length - 1] ?? { body: {} };
      const bytes = Buffer.from(JSON.stringify(body));
      return { url, finalUrl: url, status, contentType: 'application/json', bytes, clipped: false };
    };
    return { asked, fetch };
  };

  it('asks another server when a base address is set', async () => {
    const { asked, fetch } = answering([{ body: BERLIN }, { body: BERLIN_WEATHER }]);
    const weather = await createOpenMeteo({ fetch }, 'http://meteo.test/').findWeather('Berlin', 'en', signal);
    expect(weather).toMatchObject({ place: 'Berlin, Germany', isSimulated: false });
    expect(asked.map(url => new URL(url).origin + new URL(url).pathname)).toEqual([
      'http://meteo.test/v1/search',
      'http://meteo.test/v1/forecast',
    ]);
  });

  it('resolves to undefined for an unknown place', async () => {
    expect(await createOpenMeteo(answering([{ body: {} }])).findWeather('Nowhere', 'en', signal)).toBeUndefined();
  });

  it.each([
    [503, true],
    [404, false],
  ])('rejects status %d with isTransient %s', async (status, isTransient) => {
    const found = createOpenMeteo(answering([{ status, body: {} }])).findWeather('Berlin', 'en', signal);
    await expect(found).rejects.toMatchObject({ message: `The weather service answered with status ${status}.`, isTransient });
  });
});
