/** The screens of operators and the page of the API. */
import { byTestId, type ShotState } from './state';

/** In the order of web/src/ops/screens.ts. */
const SCREENS = [
  'overview',
  'runs',
  'sessions',
  'people',
  'suites',
  'tools',
  'models',
  'limits',
  'jobs',
  'connections',
  'logs',
  'audit',
  'keys',
  'config',
] as const;

const screen = (name: (typeof SCREENS)[number]): ShotState => ({
  name: `ops-${name}`,
  path: name === 'overview' ? '/ops' : `/ops/${name}`,
  ready: byTestId(`screen-${name}`),
});

export const OPS_STATES: readonly ShotState[] = [
  ...SCREENS.map(screen),
  {
    name: 'ops-run',
    path: '/ops/runs',
    ready: byTestId('screen-runs'),
    async reach({ page }) {
      await page.click('a[href*="run_"] >> nth=0');
      await page.waitForSelector(byTestId('waterfall'));
    },
  },
  {
    name: 'ops-replay',
    path: '/ops/runs?status=completed',
    ready: byTestId('screen-runs'),
    async reach({ page }) {
      await page.click('a[href*="run_"] >> nth=-1');
      await page.click(`${byTestId('replay')} summary`);
      await page.click(byTestId('replay-run'));
      await page.waitForSelector(byTestId('replay-result'));
      await page.click(byTestId('add-to-suite'));
      await page.fill(byTestId('case-suite'), 'garden');
    },
  },
  {
    name: 'ops-suite',
    path: '/ops/runs?status=completed',
    ready: byTestId('screen-runs'),
    async reach({ page }) {
      await page.click('a[href*="run_"] >> nth=-1');
      await page.click(byTestId('add-to-suite'));
      await page.fill(byTestId('case-suite'), 'garden');
      await page.click(byTestId('make-case'));
      await page.click(`${byTestId('case-added')} a`);
      await page.click(byTestId('run-suite'));
      await page.waitForSelector(`${byTestId('suite-cases')} [data-state="passed"], ${byTestId('suite-cases')} [data-state="failed"]`);
    },
  },
  {
    name: 'ops-hook',
    path: '/ops/keys',
    ready: byTestId('screen-keys'),
    async reach({ page }) {
      await page.click(byTestId('new-hook'));
      await page.fill(byTestId('hook-name'), 'deploys');
      await page.fill(byTestId('hook-template'), 'The deploy of {{body.service}} failed.');
      await page.click(byTestId('make-hook'));
      await page.waitForSelector(byTestId('hook-url'));
    },
  },
  {
    name: 'ops-stop',
    path: '/ops/runs',
    ready: byTestId('screen-runs'),
    async reach({ page }) {
      await page.click('tbody button >> nth=0');
      await page.waitForSelector(byTestId('reason-dialog'));
    },
  },
];

export const DOCS_STATES: readonly ShotState[] = [
  { name: 'docs-errors', path: '/docs/errors', ready: 'h1' },
  {
    name: 'docs-search',
    path: '/docs',
    ready: byTestId('operation'),
    async reach({ page }) {
      await page.fill('input[type="search"]', 'approval');
      await page.waitForSelector(byTestId('guide-hits'));
    },
  },
  { name: 'docs-api', path: '/docs', ready: byTestId('operation') },
  {
    name: 'docs-operation',
    path: '/docs',
    ready: byTestId('operation'),
    reach: ({ page }) => page.click('.operation-summary >> nth=2'),
  },
  { name: 'docs-guide', path: '/docs#guide:guides/approvals', ready: `${byTestId('guide')} h1` },
  { name: 'not-found', path: '/nonsense', ready: 'h1', hasErrors: true },
];
