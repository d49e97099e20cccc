/** Texts of voice input and of answers that are read aloud. */
import { pairTexts } from '../../i18n/pair_texts';

export const voiceTexts = pairTexts({
  en: {
    speak: 'Speak the message',
    finish: 'End and write it',
    asking: 'Waiting for the microphone…',
    listening: 'Listening',
    recording: (elapsed: string) => `Recording ${elapsed}`,
    writing: 'Turning speech into text…',
    escapeEnds: 'Esc ends it',
    escapeDiscards: 'Esc discards it',
    dismiss: 'Close the note',
    problems: {
      denied: 'The browser blocks the microphone for this page. Allow it in the settings for this site.',
      no_microphone: 'No microphone was found.',
      silence: 'Nothing was heard. Speak after the button is pressed.',
      unreachable: 'The speech service of the browser cannot be reached.',
      language: 'The speech service of the browser does not know this language.',
      lost: 'The recording did not reach the gateway. Speak again.',
      failed: 'The speech could not be turned into text.',
    },
    read: 'Read aloud',
    pause: 'Pause reading',
    resume: 'Go on reading',
    stop: 'Stop reading',
    settingsTitle: 'Voice',
    way: 'Turn speech into text with',
    ways: { gateway: 'The gateway', browser: 'This browser' },
    whereGateway: (model: string) =>
      `The page records what you say. This gateway sends the recording to its transcription model, ${model}. The gateway keeps neither the sound nor the text.`,
    whereBrowser:
      'The browser recognises what you say. Most browsers send the sound to their maker: Chrome to Google, Edge to Microsoft, Safari to Apple or not at all.',
    noWay:
      'This page cannot turn speech into text here. It needs HTTPS or this machine, and Chrome, Edge or Safari, or a transcription model of the gateway.',
    readSpoken: 'Read answers aloud when I spoke the question',
    readAbout: 'Voices of this device are used first. A voice that comes over the network gets the text that it reads.',
    noVoices: 'This browser has no voices, so it reads nothing aloud.',
    codeBlock: (language: string, lines: number) =>
      `Code block${language && ` in ${language}`}, ${lines === 1 ? '1 line' : `${lines} lines`}.`,
    formula: 'formula',
    link: (host: string) => `link to ${host}`,
  },
  'zh-CN': {
    speak: '语音输入',
    finish: '结束并写入',
    asking: '正在等待麦克风…',
    listening: '正在听',
    recording: elapsed => `正在录音 ${elapsed}`,
    writing: '正在把语音转成文字…',
    escapeEnds: '按 Esc 结束',
    escapeDiscards: '按 Esc 放弃',
    dismiss: '关闭提示',
    problems: {
      denied: '浏览器不允许此页面使用麦克风，请在浏览器的网站设置中允许。',
      no_microphone: '没有找到麦克风。',
      silence: '没有听到声音，请在按下按钮后说话。',
      unreachable: '无法连接浏览器的语音服务。',
      language: '浏览器的语音服务不支持此语言。',
      lost: '录音没有送到网关，请重新说一遍。',
      failed: '未能把语音转成文字。',
    },
    read: '朗读',
    pause: '暂停朗读',
    resume: '继续朗读',
    stop: '停止朗读',
    settingsTitle: '语音',
    way: '把语音转成文字',
    ways: { gateway: '由网关完成', browser: '由此浏览器完成' },
    whereGateway: model => `页面录下你说的话，网关把录音发给语音转写模型 ${model}。网关不保存声音和文字。`,
    whereBrowser:
      '由浏览器识别你说的话。多数浏览器会把声音发给其厂商：Chrome 发给 Google，Edge 发给 Microsoft，Safari 发给 Apple 或在本机处理。',
    noWay: '此页面在这里无法把语音转成文字。页面须使用 HTTPS 或在本机打开，并且使用 Chrome、Edge 或 Safari，或者网关有语音转写模型。',
    readSpoken: '我用语音提问时，朗读回答',
    readAbout: '优先使用本设备的语音。通过网络提供的语音会收到所朗读的文字。',
    noVoices: '此浏览器没有语音，无法朗读。',
    codeBlock: (language, lines) => `代码块${language && `，${language}`}，共 ${lines} 行。`,
    formula: '公式',
    link: host => `链接 ${host}`,
  },
});

export type VoiceTexts = (typeof voiceTexts)['en'];
export type VoiceProblem = keyof VoiceTexts['problems'];
