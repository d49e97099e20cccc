/** Answers of the agent on the chat page: tables, code, formulas, diagrams, links, and hostile answers. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { type Site, startSite } from '../support/site';
import { until } from '../support/until';
import { byTestId, type ChatBrowser, type OpenPage, startChatBrowser, turn } from './chat_browser';

let bench: AgentBench;
let browser: ChatBrowser;
let site: Site;

beforeAll(async () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="teal"/></svg>';
  site = await startSite({ '/photo.svg': response => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture) });
  [bench, browser] = await Promise.all([startBench({ env: { NETA_FETCH_ALLOW: site.host } }), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await site?.stop();
});

afterEach(() => browser?.closePages());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens the page and lets the agent say this. */
async function show(name: string, text: string, options = {}): Promise<OpenPage> {
  bench.model.onTurn(`show ${name}`, { text });
  const open = await browser.open({ url: bench.gateway.url, ...options });
  await open.say(`show ${name}`);
  await open.page.waitForSelector(turn('completed'));
  return open;
}

const WIDE_TABLE = `| Region | Country | Quarter | Revenue | Expenses | Difference | Employees | Remark |
|---|---|---|---:|---:|---:|---:|---|
| Northern | Denmark | third | 1,204.50 | 998.10 | 206.40 | 1,250 | reorganised |
| Southern | Portugal | fourth | 11,904.75 | 9,008.20 | 2,896.55 | 3,480 | unchanged |`;

describe('on a phone', () => {
  it('a wide table scrolls, its cells keep their words whole, and the page stands still', async () => {
    const { page, complaints } = await show('a wide table', `${WIDE_TABLE}\n\n${'A line.\n\n'.repeat(40)}`, PHONE);
    const table = await page.evaluate(measureTable);
    expect(table.brokenCells).toEqual([]);
    expect(table.scrolls).toBe(true);
    // Neither a scroll into view nor a search in the page may move the document.
    const moved = await page.evaluate(() => {
      for (const element of Array.from(document.querySelectorAll('.visually-hidden, footer'))) element.scrollIntoView();
      scrollTo(200, 2000);
      return [scrollX, scrollY, document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth];
    });
    expect(moved).toEqual([0, 0, 0, 0]);
    expect(complaints).toEqual([]);
  });

  it('buttons and links outside of sentences are at least 40 px high and wide', async () => {
    const { page } = await show('a call', 'Done.', PHONE);
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
    await page.tap(byTestId('open-sessions'));
    await page.waitForSelector(byTestId('session-list'));
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });
});

const RICH = `Prices of $5 and $10 stay. The mean is $\\bar{x} = \\frac{1}{n}\\sum_i x_i$ and \\(\\int f\\,dx\\).

$$
\\sqrt{a^2 + b^2}
$$

- [x] done
- [ ] open

A claim[^1] and [the report](report/summary.md), [a way out](../secret.md).

مرحبا بالعالم

\`\`\`ts
const answer: number = 42; // why
\`\`\`

| name | value |
|---|--:|
| a, b | =1+1 |

\`\`\`mermaid
graph TD; Start-->End
\`\`\`

[^1]: Its source.
`;

/** Text of the clipboard; pages of this context may read it. */
const clipboard = (page: OpenPage['page']) => page.evaluate(() => navigator.clipboard.readText());

describe('an answer', () => {
  it('shows formulas, colours, tasks, notes, files and text of every direction, and copies their sources', async () => {
    await bench.rest.request('PUT', '/files/report/summary.md', 'The summary.', { 'content-type': 'text/plain' });
    const { page, context, complaints } = await show('a rich answer', RICH);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.waitForSelector('.formula.display.drawn .katex-html .sqrt');
    expect(await page.locator('.formula.drawn').count()).toBe(3);
    const text = (await page.textContent(byTestId('answer'))) ?? '';
    expect(text).toContain('Prices of $5 and $10 stay.');
    await page.waitForSelector('.code-block .hljs-keyword:has-text("const")');
    expect(await page.locator('.task-mark').count()).toBe(2);
    expect(await page.locator('.task-mark.done').count()).toBe(1);
    const arabic = page.locator('.markdown p', { hasText: 'مرحبا' });
    expect(await arabic.evaluate(element => getComputedStyle(element).direction)).toBe('rtl');

    await page.click('.footnote-ref a');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Its source.');
    expect(new URL(page.url()).hash).toBe('');
    const link = page.locator('.markdown a', { hasText: 'the report' });
    const download = await context.request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    expect(await download.text()).toBe('The summary.');
    expect(await page.locator('.markdown a', { hasText: 'a way out' }).count()).toBe(0);

    await page.click('[aria-label="Copy code"] >> nth=0');
    expect(await clipboard(page)).toBe('const answer: number = 42; // why\n');
    await page.hover('.with-tools:has(table)');
    await page.click('[aria-label="Copy as CSV"]');
    expect(await clipboard(page)).toBe('name,value\r\n"a, b",\'=1+1');
    await page.hover('.with-tools:has(.formula)');
    await page.click('[aria-label="Copy formula"]');
    expect(await clipboard(page)).toBe('\\sqrt{a^2 + b^2}');
    expect(complaints).toEqual([]);
  });

  it('draws a diagram when asked, in a frame without rights', async () => {
    const { page, complaints } = await show('a diagram', '```mermaid\ngraph TD; Start-->End\n```');
    await page.click(byTestId('toggle-diagram'));
    const frame = page.frameLocator(byTestId('diagram'));
    await frame.locator('svg:has-text("Start")').waitFor();
    const rights = await frame.locator('body').evaluate(async () => ({
      origin,
      storage: await Promise.resolve()
        .then(
          () => localStorage.length,
          () => 'refused',
        )
        .catch(() => 'refused'),
      network: await fetch('/api/v1/sessions').then(
        () => 'open',
        () => 'refused',
      ),
      page: (() => {
        try {
          return String(parent.document.title);
        } catch {
          return 'refused';
        }
      })(),
    }));
    expect(rights).toEqual({ origin: 'null', storage: 'refused', network: 'refused', page: 'refused' });
    expect(complaints.filter(text => !text.includes('sessions'))).toEqual([]);
  });

  it('shows a page, a drawing and Markdown when asked, in frames without rights', async () => {
    const html =
      '<body><p id="p">static</p><script>document.getElementById("p").textContent = "ran"; fetch("/api/v1/sessions").then(() => { document.title = "open" }, () => { document.title = "refused" })</script></body>';
    const svg = '<svg viewBox="0 0 9 9" width="90"><circle r="4"/></svg>';
    const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
    const { page, complaints } = await show('documents', fence('html', html) + fence('svg', svg) + fence('markdown', '# A **title**'));
    for (let i = 0; i < 3; i++) await page.locator(byTestId('toggle-preview')).nth(i).click();
    await page.locator(`${byTestId('preview')} h1 strong`).waitFor();
    const frame = page.frameLocator(`${byTestId('artifact')} >> nth=0`);
    await frame.locator('#p:has-text("ran")').waitFor();
    const rights = await frame.locator('body').evaluate(() => ({
      origin,
      page: (() => {
        try {
          return String(parent.document.title);
        } catch {
          return 'refused';
        }
      })(),
    }));
    expect(rights).toEqual({ origin: 'null', page: 'refused' });
    await until(async () => (await frame.locator('body').evaluate(() => document.title)) === 'refused');
    await page
      .frameLocator(`${byTestId('artifact')} >> nth=1`)
      .locator('svg circle')
      .waitFor();
    // A link of the frame leads nowhere: the policy of the page keeps its frames on the gateway.
    await frame.locator('body').evaluate(() => location.assign('https://evil.example/'));
    await page.waitForTimeout(300);
    expect(
      page
        .frames()
        .map(one => one.url())
        .filter(url => url.includes('evil.example')),
    ).toEqual([]);
    expect(complaints.filter(text => !/sessions|evil\.example/.test(text))).toEqual([]);
  });

  it('loads colours, formulas and diagrams with the first one of its kind alone', async () => {
    const { page } = await show('plain words', 'Only **words**.');
    await page.waitForSelector('.markdown strong');
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name));
    expect(loaded.filter(name => /highlight|formula|mermaid|katex|diagram/i.test(name))).toEqual([]);
  });

  it('shows an image of another server after a click, which the gateway fetches', async () => {
    const text = `![A lighthouse](${site.url('/photo.svg')}) and ![nothing](${site.url('/missing')})`;
    const { page, complaints } = await show('a picture', text);
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    const link = page.locator('.markdown a', { hasText: 'A lighthouse' });
    expect([site.requests.length, await page.locator('.markdown img').count()]).toEqual([0, 0]);
    await link.click();
    const image = page.getByAltText('A lighthouse');
    await image.evaluate((element: HTMLImageElement) => element.decode());
    expect(await image.evaluate((element: HTMLImageElement) => [element.naturalWidth, document.activeElement === element])).toEqual([
      90,
      true,
    ]);
    await page.locator('.markdown a', { hasText: 'nothing' }).click();
    await page.locator('.markdown a', { hasText: 'nothing (the image cannot be shown)' }).waitFor();
    expect(site.requests.map(({ path }) => path)).toEqual(['/photo.svg', '/missing']);
    expect(asked.filter(url => !url.startsWith(bench.gateway.url))).toEqual([]);
    expect(complaints.filter(complaint => !complaint.includes('400'))).toEqual([]);
  });

  it('cannot run a script, style the page, leave the frame of a diagram or ask another host', async () => {
    const failures: string[] = [];
    const answers: string[] = [];
    const { page, complaints } = await show('a hostile answer', HOSTILE);
    page.on('requestfailed', request => failures.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', response => answers.push(response.url()));
    await page.waitForSelector('.code-block .hljs-tag');
    await page.click(byTestId('toggle-diagram'));
    const frame = page.frameLocator(byTestId('diagram'));
    await frame.locator('svg').waitFor();
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(await frame.locator('body').evaluate(() => 'hacked' in globalThis)).toBe(false);
    const addresses = await page.$$eval('.markdown [href]', links => links.map(link => link.getAttribute('href') ?? ''));
    expect(addresses.filter(address => !/^https:|^#footnote-\d+$/.test(address))).toEqual([]);
    expect(await page.locator('.markdown :is(script, img, iframe:not(.diagram), form, input, style, object)').count()).toBe(0);
    expect(await page.locator('.markdown :is([onclick], [onerror], [onload])').count()).toBe(0);
    // mermaid asks for the image of a label; the policy of the frame refuses that.
    expect(failures.filter(failure => !failure.endsWith(' csp'))).toEqual([]);
    expect(answers.filter(url => !url.startsWith(bench.gateway.url) && !url.startsWith('blob:'))).toEqual([]);
    expect(complaints.filter(text => !text.includes('evil.example'))).toEqual([]);
  });
});

const HOSTILE = `<script>hacked = 1</script><img src=x onerror="hacked = 1"><style>body{display:none}</style>

[a](javascript:hacked=1) [b](data:text/html,x) [c](&#106;avascript:hacked=1) [d](//evil.example/x) [e](/api/v1/keys) [f](#footnote-1" onclick="hacked=1)

![x](https://evil.example/pixel.png)

$\\href{javascript:hacked=1}{x}$ $\\includegraphics{https://evil.example/a.png}$ $\\htmlStyle{position:fixed}{x}$ $\\def\\a{\\a\\a}\\a$

$$<img src=x onerror=hacked=1>$$

Note[^<img src=x onerror=hacked=1>] and[^1].

[^1]: <img src=x onerror="hacked = 1"> [x](javascript:hacked=1)

- [x] <b onclick="hacked = 1">task</b>

\`\`\`html
<script>hacked = 1</script><img src=x onerror="hacked = 1">
\`\`\`

\`\`\`js" onclick="hacked=1
</code></pre><script>hacked = 1</script>
\`\`\`

\`\`\`mermaid
graph TD
A["<img src=https://evil.example/x onerror='hacked=1'>"] --> B
click A "javascript:hacked=1"
click B call hacked()
%%{init: {"securityLevel": "loose", "themeCSS": "body{background:url(https://evil.example/c)}"}}%%
\`\`\`
`;

/** Runs in the page. A cell is broken when its longest word is wider than the cell's line. */
function measureTable(): { brokenCells: string[]; scrolls: boolean } {
  const frame = document.querySelector('.markdown .table-scroll');
  const cells = Array.from(document.querySelectorAll('.markdown :is(th, td)'));
  const brokenCells = cells.flatMap(cell => {
    const text = cell.firstChild;
    if (!text) return [];
    const words = [...(text.textContent ?? '').matchAll(/\S+/g)];
    const broken = words.filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    });
    return broken.map(([word]) => word);
  });
  return { brokenCells, scrolls: frame !== null && frame.scrollWidth > frame.clientWidth };
}

/** Runs in the page. */
function findSmallTargets(): string[] {
  return Array.from(document.querySelectorAll('button, select, summary, nav a')).flatMap(element => {
    const { width, height } = element.getBoundingClientRect();
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || (width >= 40 && height >= 40)) return [];
    return [`${element.tagName} ${element.className} ${Math.round(width)}x${Math.round(height)}`];
  });
}
