import { RouteTokens } from '../../../src/service/auth/route_tokens';

it('opens one route with its secret and nothing else', () => {
  const tokens = new RouteTokens();
  tokens.add('readMetrics', 'scraper');
  const opens = (route: string, secret?: string) => tokens.opens(route, secret);
  expect(opens('readMetrics', 'scraper')).toBe(true);
  expect([
    opens('readMetrics', 'Scraper'),
    opens('readMetrics', ''),
    opens('readMetrics'),
    opens('getInfo', 'scraper'),
    opens('', ''),
  ]).toEqual(new Array(5).fill(false));
});
