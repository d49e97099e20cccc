/** The views that open in the place of the chat: links, address, keyboard, and the chat that goes on behind. */
import type { Page } from 'playwright-core';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { sendTranscript, startTranscriptionServer, type TranscriptionServer } from '../support/transcription_server';
import { until } from '../support/until';
import { byTestId, type ChatBrowser, COMPOSER, countRows, startChatBrowser, turn } from './chat_browser';
import { type FakeVoice, useFakeVoice } from './fake_voice';

let gateway: Gateway;
let model: MockModel;
let speech: TranscriptionServer;
let browser: ChatBrowser;

beforeAll(async () => {
  [model, speech] = await Promise.all([startMockModel(), startTranscriptionServer()]);
  const transcription = { NETA_TRANSCRIPTION_MODEL: 'whisper-x', NETA_TRANSCRIPTION_BASE_URL: speech.baseUrl };
  [gateway, browser] = await Promise.all([
    startGateway({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', ...transcription } }),
    startChatBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await model?.stop();
  await speech?.stop();
});

afterEach(() => browser?.closePages());

const MEMORY = byTestId('view-memory');
const open = (options = {}) => browser.open({ url: gateway.url, ...options });

it('opens over a running chat, which goes on, and returns to it', async () => {
  model.onTurn('answer slowly', { text: 'A long answer that goes on.', chunkSize: 4, pauseAfter: 2 });
  const { page, say, focusReaches } = await open();
  await say('answer slowly');
  await page.waitForSelector(`${turn('running')} .markdown`);
  await page.fill(COMPOSER, 'a half-written message');
  await page.click(byTestId('open-memory'));
  await page.waitForSelector(MEMORY);
  await page.waitForFunction(() => document.activeElement?.id === 'view-heading');
  expect(await page.isVisible(COMPOSER)).toBe(false);
  expect(await page.title()).toBe('Memory · Neta');
  expect(await page.getAttribute(byTestId('open-memory'), 'aria-current')).toBe('page');

  // Escape leaves the view; it does not stop the run.
  await page.keyboard.press('Escape');
  await page.waitForSelector(COMPOSER);
  await focusReaches('composer');
  expect(await page.isVisible(turn('running'))).toBe(true);
  await page.click(byTestId('open-memory'));
  await page.waitForSelector(MEMORY);
  model.resume();
  await page.waitForSelector(turn('completed'), { state: 'attached' });
  await page.click(byTestId('back-to-chat'));
  expect(await page.textContent(`${turn('completed')} .markdown`)).toContain('goes on.');
  expect(await page.inputValue(COMPOSER)).toBe('a half-written message');
});

it('stays open across a reload, and the back button returns to the chat', async () => {
  model.onTurn('one chat', 'Here.');
  const { page, say, complaints } = await open();
  await say('one chat');
  await page.waitForSelector(turn('completed'));
  const chat = page.url();
  await page.click(byTestId('open-memory'));
  await page.waitForSelector(MEMORY);
  await page.reload();
  await page.waitForSelector(MEMORY);
  await page.goBack();
  await page.waitForSelector(turn('completed'));
  expect(page.url()).toBe(chat);
  await page.goForward();
  await page.waitForSelector(MEMORY);
  await page.click(byTestId('session-row'));
  await page.waitForSelector(turn('completed'));
  expect(page.url()).toBe(chat);
  expect(complaints).toEqual([]);
});

it('opens from the drawer of a phone without a sideways scroll, in Chinese too', async () => {
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, locale: 'zh-CN' };
  const { page } = await open(phone);
  await page.tap(byTestId('open-sessions'));
  await page.tap(byTestId('open-memory'));
  await page.waitForSelector(`${MEMORY} h1:has-text("记忆")`);
  await page.waitForFunction(() => document.activeElement?.id === 'view-heading');
  await page.waitForSelector(byTestId('session-list'), { state: 'hidden' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

it('shows the chat for an address with an unknown view', async () => {
  const { page } = await browser.open({ url: `${gateway.url}/?view=nonsense` });
  expect(await page.isVisible(COMPOSER)).toBe(true);
});

it('applies settings at once and in every tab, keeps them, and sends with the chosen key', async () => {
  model.onTurn('two\nlines', 'Both are here.');
  const { page, context, complaints } = await open();
  const other = await context.newPage();
  await other.goto(gateway.url);
  await other.waitForSelector(COMPOSER);
  await page.click(byTestId('open-settings'));
  await page.selectOption(byTestId('setting-theme'), 'dark');
  await page.selectOption(byTestId('setting-density'), 'compact');
  await page.selectOption(byTestId('setting-send-key'), 'mod_enter');
  await page.selectOption(byTestId('setting-language'), 'zh-CN');
  for (const each of [page, other]) await each.waitForSelector('html[lang="zh-CN"][data-theme="dark"][data-density="compact"]');
  await page.reload();
  await page.waitForSelector(`${byTestId('view-settings')} h1:has-text("设置")`);
  expect(await page.inputValue(byTestId('setting-send-key'))).toBe('mod_enter');
  await page.click(byTestId('show-shortcuts'));
  await page.waitForSelector(`${byTestId('shortcut-sheet')} kbd:has-text("Ctrl Enter")`);

  await other.fill(COMPOSER, 'two');
  await other.press(COMPOSER, 'Enter');
  await other.keyboard.type('lines');
  expect(await other.inputValue(COMPOSER)).toBe('two\nlines');
  await other.press(COMPOSER, 'Control+Enter');
  await other.waitForSelector(turn('completed'));
  await until(() => countRows(other, 'neta.device /', 'chats'));
  await page.keyboard.press('Escape');
  await page.uncheck(byTestId('setting-keep-chats'));
  await until(async () => (await countRows(other, 'neta.device /', 'chats')) === 0);
  expect(complaints).toEqual([]);
});

/** Runs in the page before its scripts: collects notifications and started tones, and lets the test hide the tab. */
function collectNotices(): void {
  const noted: string[] = [];
  Object.assign(globalThis, { noted });
  // Chromium without a window refuses notifications, also where the test grants them.
  const Shown = class {
    static permission = 'default';
    static async requestPermission() {
      noted.push('asked');
      Shown.permission = 'granted';
      return Shown.permission;
    }
    constructor(title: string, options?: NotificationOptions) {
      noted.push(`${title}: ${options?.body}`);
    }
  };
  Object.assign(globalThis, { Notification: Shown });
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    noted.push(`by the worker: ${title}: ${options?.body}`);
    if (!options?.data?.sessionId) noted.push('a notification without its chat');
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (when) {
    noted.push('tone');
    start.call(this, when);
  };
  Object.defineProperty(document, 'hidden', { get: () => 'isHidden' in globalThis });
}

it('shows a notification and plays a sound for a question and an end in a hidden tab, and is quiet while the person looks', async () => {
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which one?', choices: ['A', 'B'] } }] }, 'Done.');
  const { page, context, say } = await open();
  await context.addInitScript(collectNotices);
  await page.goto(`${gateway.url}/?view=settings`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.check(byTestId('setting-notifications'));
  await page.check(byTestId('setting-sounds'));
  await page.click(byTestId('back-to-chat'));
  const noted = () => page.evaluate(() => (globalThis as unknown as { noted: string[] }).noted.splice(0));
  const setHidden = (isHidden: boolean) =>
    page.evaluate(hidden => {
      if (hidden) Object.assign(globalThis, { isHidden: true });
      else Reflect.deleteProperty(globalThis, 'isHidden');
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  // The press on the box asks, and the settings play a sample.
  expect(await noted()).toEqual(['asked', 'tone', 'tone']);
  await say('ask me');
  await page.waitForSelector(turn('waiting'));
  await page.click('[data-status="pending"] [data-shortcut="1"]');
  await page.waitForSelector(turn('completed'));
  expect(await noted()).toEqual([]);

  await setHidden(true);
  await say('ask me');
  await page.waitForSelector(turn('waiting'));
  await page.waitForFunction(() => (globalThis as unknown as { noted: string[] }).noted.length === 3);
  expect(await noted()).toEqual(['tone', 'tone', 'by the worker: The agent needs you: ask me']);
  await page.click('[data-status="pending"] [data-shortcut="1"]');
  await page.waitForFunction(() => (globalThis as unknown as { noted: string[] }).noted.length === 3);
  expect(await noted()).toEqual(['tone', 'tone', 'by the worker: The agent has finished: ask me']);
});

it('keeps a message of a new chat that was not sent yet, and sends it later', async () => {
  model.onTurn('sent later', 'Now it is here.');
  const { page, say } = await open();
  await gateway.kill();
  await say('sent later');
  await page.click(byTestId('open-memory'));
  await page.waitForSelector(MEMORY);
  // The part of the page that the gateway could not send offers a reload.
  await page.waitForSelector(`${MEMORY} [role="alert"]`);
  await page.goBack();
  await page.waitForSelector(`${byTestId('user-message')}:has-text("sent later")`);
  await gateway.restart();
  await page.waitForSelector(turn('completed'), { timeout: 30_000 });
});

describe('voice', () => {
  const voiceOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { fakeVoice: FakeVoice }).fakeVoice);
  const hear = (page: Page, text: string) =>
    page.evaluate(said => (globalThis as unknown as { fakeVoice: FakeVoice }).fakeVoice.hear(said), text);
  const noteSays = (page: Page, id: string, text: string) => page.waitForSelector(`${byTestId(id)}:has-text("${text}")`);
  const leaveForAMoment = (page: Page) =>
    page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      Reflect.deleteProperty(document, 'hidden');
    });

  it('records a message, which the gateway turns into text, and discards it on Escape', async () => {
    speech.answerWith(sendTranscript('Spoken words.'));
    const { page, focusReaches, complaints } = await open();
    await page.fill(COMPOSER, 'Written first.');
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Recording 0:0');
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('voice', '[data-phase="idle"]'));
    expect(speech.requests).toEqual([]);

    await page.click(byTestId('voice'));
    // A recording without a whole piece of sound goes as it is.
    await noteSays(page, 'voice-state', 'Recording 0:01');
    await page.click(byTestId('voice'));
    await focusReaches('composer');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Written first. Spoken words.');
    const [{ fields, file }] = speech.requests as [TranscriptionServer['requests'][number]];
    // The model finds out the language.
    expect({ fields, type: file.type, head: file.bytes.toString('latin1', 0, 4) }).toEqual({
      fields: { model: 'whisper-x', response_format: 'json' },
      type: 'audio/wav',
      head: 'RIFF',
    });
    expect(file.bytes.readUInt32LE(24)).toBe(16_000);

    speech.answerWith(response => response.writeHead(500).end('{"error":{"message":"no memory"}}'));
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Recording 0:0');
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-problem', 'no memory');
    expect(await page.inputValue(COMPOSER)).toBe('Written first. Spoken words.');
    expect(complaints).toEqual([expect.stringContaining('502')]);
  });

  it('ends at once when the person cancels, before the microphone is allowed and while the gateway works', async () => {
    const { page, complaints } = await open();
    await page.evaluate(() => {
      const devices = navigator.mediaDevices;
      const ask = devices.getUserMedia.bind(devices);
      const allowed = new Promise(resolve => addEventListener('allow', resolve, { once: true }));
      devices.getUserMedia = async options => {
        await allowed;
        const stream = await ask(options);
        document.documentElement.dataset['asked'] = 'yes';
        return stream;
      };
    });
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Waiting for the microphone');
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('voice', '[data-phase="idle"]'));
    const phases = page.evaluate(
      button =>
        new Promise<(string | undefined)[]>(resolve => {
          const seen: (string | undefined)[] = [];
          const element = document.querySelector<HTMLElement>(button);
          new MutationObserver(() => seen.push(element?.dataset['phase'])).observe(element ?? document, { attributes: true });
          new MutationObserver(() => setTimeout(() => resolve(seen), 100)).observe(document.documentElement, { attributes: true });
          dispatchEvent(new Event('allow'));
        }),
      byTestId('voice'),
    );
    expect(await phases).toEqual([]);

    await page.evaluate(() => localStorage.setItem('neta.speechLanguage', 'de-AT'));
    await page.reload();
    let isAborted = false;
    speech.answerWith(response => void response.once('close', () => (isAborted = true)));
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Recording 0:0');
    // A page that the person has left records no longer.
    await leaveForAMoment(page);
    await noteSays(page, 'voice-state', 'Turning speech into text');
    await until(async () => speech.requests.at(-1)?.fields['language'] === 'de');
    await page.click(`${byTestId('voice')}[aria-label="Cancel the spoken message"]`);
    await page.waitForSelector(byTestId('voice', '[data-phase="idle"]'));
    await until(async () => isAborted);
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Recording 0:0');
    expect(complaints).toEqual([]);
  });

  it('is recognised by the browser where the person chooses that; the answer is read aloud until another chat is opened', async () => {
    model.onTurn('say hello please', 'Hello.\n\n```ts\nlet a;\n```\n');
    const { page, context, complaints } = await open();
    await context.addInitScript(useFakeVoice);
    await page.goto(`${gateway.url}/?view=settings`);
    await page.selectOption(byTestId('setting-speech-way'), 'browser');
    await noteSays(page, 'view-settings', 'Chrome to Google');
    await page.check(byTestId('setting-read-spoken'));
    await page.click(byTestId('back-to-chat'));
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Listening');
    await hear(page, 'say');
    expect(await page.inputValue(COMPOSER)).toBe('say');
    await hear(page, 'say hello');
    await page.press(COMPOSER, 'Escape');
    await page.waitForSelector(byTestId('voice', '[data-phase="idle"]'));
    expect(await page.inputValue(COMPOSER)).toBe('say hello');
    expect(await voiceOf(page)).toMatchObject({ lang: 'en-US', isListening: false });

    // A page that the person has left does not listen on.
    await page.click(byTestId('voice'));
    await noteSays(page, 'voice-state', 'Listening');
    await leaveForAMoment(page);
    await page.waitForSelector(byTestId('voice', '[data-phase="idle"]'));
    expect((await voiceOf(page)).isListening).toBe(false);

    // Typed text goes on behind the spoken one, and sending ends the session.
    await page.click(byTestId('voice'));
    await hear(page, 'please');
    await page.press(COMPOSER, 'Enter');
    await page.waitForSelector(turn('completed'));
    await page.waitForSelector(byTestId('pause-reading'));
    expect(await voiceOf(page)).toMatchObject({ isListening: false, spoken: ['en-US: Hello.', 'en-US: Code block in ts, 1 line.'] });
    await page.click(byTestId('pause-reading'));
    expect((await voiceOf(page)).isPaused).toBe(true);
    await page.click(byTestId('stop-reading'));
    expect(await voiceOf(page)).toMatchObject({ isPaused: false, spoken: [] });

    await page.click(byTestId('read-aloud'));
    await page.waitForSelector(byTestId('stop-reading'));
    await page.evaluate(() => (globalThis as unknown as { fakeVoice: FakeVoice }).fakeVoice.endReading());
    await page.click(byTestId('read-aloud'));
    await page.click(byTestId('new-chat'));
    await until(async () => (await voiceOf(page)).spoken.length === 0);

    await page.click(byTestId('voice'));
    await page.evaluate(() => (globalThis as unknown as { fakeVoice: FakeVoice }).fakeVoice.fail('not-allowed'));
    await noteSays(page, 'voice-problem', 'blocks the microphone');
    await page.type(COMPOSER, 'x');
    await page.waitForSelector(byTestId('voice-problem'), { state: 'detached' });

    await page.goto(`${gateway.url}/?view=settings`);
    await page.selectOption(byTestId('setting-speech-language'), { label: 'German' });
    await page.click(byTestId('back-to-chat'));
    await page.click(byTestId('voice'));
    expect((await voiceOf(page)).lang).toBe('de');
    expect(complaints).toEqual([]);
  });

  it('has no microphone where nothing can turn speech into text, and nothing to read with without voices', async () => {
    const { page, context, say } = await open();
    await context.addInitScript(() => {
      for (const name of ['SpeechRecognition', 'webkitSpeechRecognition', 'MediaRecorder']) Reflect.deleteProperty(globalThis, name);
      speechSynthesis.getVoices = () => [];
    });
    model.onTurn('no voice', 'Silent.');
    await page.goto(`${gateway.url}/?view=settings`);
    await noteSays(page, 'speech-way', 'cannot turn speech into text');
    await page.click(byTestId('back-to-chat'));
    await say('no voice');
    await page.waitForSelector(`${turn('completed')} ${byTestId('rate-up')}`);
    expect(await page.locator(`${byTestId('voice')}, ${byTestId('read-aloud')}`).count()).toBe(0);
  });
});
