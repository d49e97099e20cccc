/** Texts of the menu of the open chat and its dialogs. */
import { pairTexts } from '../../i18n/pair_texts';

export const chatMenuTexts = pairTexts({
  en: {
    menu: 'Menu of this chat',
    instructions: 'Instructions for this chat',
    temporary: 'Make it a temporary chat',
    ordinary: 'Make it an ordinary chat',
    print: 'Print or save as PDF',
    people: 'People in this chat',
    share: 'Share by a link',
    exportMarkdown: 'Export as Markdown',
    exportJson: 'Export as JSON',
    importChats: 'Import chats',
    importTitle: 'Import chats from another program',
    importNote:
      'Choose conversations.json of a ChatGPT export, or a JSON export of LibreChat or Open WebUI. Of a chat with branches, the current path comes in: texts, no images or files.',
    importFile: 'File with chats (JSON, at most 200 MB)',
    importReading: 'Reading the file…',
    importStop: 'Stop',
    importing: (done: number, all: number) => `${done} of ${all} chats…`,
    imported: (count: number, refused: number) =>
      [count === 1 ? '1 chat was imported.' : `${count} chats were imported.`, refused > 0 && `${refused} did not come in:`]
        .filter(Boolean)
        .join(' '),
    importBroken: (left: number) =>
      `The connection was lost with ${left} chats left. Choose the file again: no chat comes in twice within a day.`,
    noTitle: 'Without a title',
    moreRefused: (count: number) => `and ${count} more`,
    fileProblems: {
      too_large: 'The file is larger than 200 MB.',
      is_zip: 'This is a ZIP archive. Unpack it and choose conversations.json.',
      not_json: 'The file is not JSON.',
      unknown_form: 'This JSON is no export of ChatGPT, LibreChat or Open WebUI.',
    },
    chatProblems: {
      no_messages: 'has no text messages.',
      too_long: 'is longer than 2,000 messages or 1 MB.',
      unknown_form: 'has an unknown form.',
    },
    instructionsTitle: 'Instructions for this chat',
    instructionsNote: 'The agent gets this text with every message of this chat. Branches and copies of the chat keep it.',
    instructionsExample: 'For example: answer in three sentences at most, with metric units.',
    characters: (count: number, most: number) => `${count.toLocaleString('en')} of ${most.toLocaleString('en')} characters`,
  },
  'zh-CN': {
    menu: '本对话的菜单',
    instructions: '本对话的要求',
    temporary: '设为临时对话',
    ordinary: '设为普通对话',
    print: '打印或存为 PDF',
    people: '此对话中的人',
    share: '用链接分享',
    exportMarkdown: '导出为 Markdown',
    exportJson: '导出为 JSON',
    importChats: '导入对话',
    importTitle: '从其他程序导入对话',
    importNote:
      '选择 ChatGPT 导出的 conversations.json，或 LibreChat、Open WebUI 导出的 JSON 文件。有分支的对话导入当前路径：只有文字，不含图片和文件。',
    importFile: '对话文件（JSON，最大 200 MB）',
    importReading: '正在读取文件…',
    importStop: '停止',
    importing: (done, all) => `${done} / ${all} 个对话…`,
    imported: (count, refused) => [`已导入 ${count} 个对话。`, refused > 0 && `有 ${refused} 个未导入：`].filter(Boolean).join(''),
    importBroken: left => `连接中断，还有 ${left} 个对话未导入。请再次选择该文件：一天之内不会重复导入。`,
    noTitle: '无标题',
    moreRefused: count => `另有 ${count} 个`,
    fileProblems: {
      too_large: '文件大于 200 MB。',
      is_zip: '这是 ZIP 压缩包。请解压后选择 conversations.json。',
      not_json: '文件不是 JSON。',
      unknown_form: '这个 JSON 不是 ChatGPT、LibreChat 或 Open WebUI 的导出文件。',
    },
    chatProblems: {
      no_messages: '没有文字消息。',
      too_long: '超过 2,000 条消息或 1 MB。',
      unknown_form: '格式未知。',
    },
    instructionsTitle: '本对话的要求',
    instructionsNote: '智能体处理本对话的每条消息时都会看到这段文字。对话的分支和副本会保留它。',
    instructionsExample: '例如：回答不超过三句话，使用公制单位。',
    characters: (count, most) => `${count.toLocaleString('en')} / ${most.toLocaleString('en')} 个字符`,
  },
});
