/** Texts of the pages in English; every other language has exactly these. */
import type { ThinkingLevel } from '../api/rest_types';
import type { IncompleteReason, ToolState } from '../state/view_types';

export interface Messages {
  appName: string;
  newChat: string;
  untitled: string;
  sessions: string;
  openSessions: string;
  closeSessions: string;
  noSessions: string;
  showMore: string;
  apiReference: string;
  rename: string;
  renameTitle: string;
  remove: string;
  removeQuestion: string;
  removeExplanation: (title: string) => string;
  cancel: string;
  save: string;
  skipToComposer: string;
  conversation: string;

  theme: Record<'system' | 'light' | 'dark', string>;
  switchTheme: string;
  switchLanguage: string;
  thinkingLevel: string;
  thinkingLevels: Record<ThinkingLevel, string>;
  model: string;
  demoBadge: string;
  demoExplanation: string;

  noSandbox: string;
  noSandboxExplanation: string;

  emptyTitle: string;
  emptyText: string;
  examples: readonly string[];
  composerLabel: string;
  composerPlaceholder: string;
  composerBusyPlaceholder: string;
  composerHint: string;
  composerBusyHint: string;
  escapeAgain: string;
  send: string;
  stop: string;
  stopping: string;
  stopFailed: string;
  jumpToLatest: string;

  you: string;
  agent: string;
  sending: string;
  queued: string;
  takeBack: string;
  working: string;
  thinking: string;
  thought: string;
  copy: string;
  copied: string;
  copyAnswer: string;
  retry: string;
  sendAgain: string;
  runFailed: string;
  /** Code of an error -> its meaning in a few words. */
  errorTitles: Readonly<Record<string, string>>;
  copyReport: string;
  editMessage: string;
  notSent: string;
  runCancelled: string;
  runIncomplete: string;
  runCut: Record<IncompleteReason, string>;
  continueRun: string;
  continueRequest: string;
  usage: (input: string, output: string) => string;

  toolState: Record<ToolState, string>;
  toolLabels: Readonly<Record<string, string>>;
  arguments: string;
  output: string;
  result: string;
  changes: string;
  strategy: (name: string) => string;
  cached: string;
  duplicate: string;
  exitCode: (code: number) => string;
  noOutput: string;
  undo: string;
  undone: string;
  undoneNote: string;
  undoRefused: Record<'changed' | 'gone', string>;

  plan: string;
  planProgress: (done: number, total: number) => string;
  todoStatus: Record<'pending' | 'in_progress' | 'completed' | 'cancelled', string>;

  question: string;
  answerLabel: string;
  answerPlaceholder: string;
  answerHint: string;
  answering: (question: string) => string;
  sendAsMessage: string;
  answerInstead: string;
  answerTooLate: string;
  writeAnswer: string;
  writeOtherAnswer: string;
  choiceKeys: (count: number) => string;
  answer: string;
  timeLeft: (text: string) => string;
  moreTime: string;
  answered: string;
  answeredByYou: string;
  answeredElsewhere: string;
  questionExpired: string;
  questionCancelled: string;
  questionNeedsYou: string;
  otherChatWaits: (title: string) => string;
  openChat: string;

  approvalTitle: (tool: string) => string;
  allowOnce: string;
  allowSession: string;
  allowChanged: string;
  edit: string;
  deny: string;
  back: string;
  denialReason: string;
  changedArguments: string;
  notJson: string;
  sessionScope: Record<'exact' | 'rule' | 'none', string>;
  taintKind: Record<'private' | 'untrusted', string>;
  approvalOutcome: Record<'allow_once' | 'allow_session' | 'changed' | 'deny' | 'expired' | 'cancelled', string>;
  byYou: string;
  elsewhere: string;

  connecting: string;
  offline: string;
  reconnectNow: string;
  backOnline: string;
  loading: string;
  sessionMissing: string;
  startNewChat: string;
  sessionFailed: string;
  requestFailed: string;
  close: string;
}

export const en: Messages = {
  appName: 'Neta',
  newChat: 'New chat',
  untitled: 'New chat',
  sessions: 'Chats',
  openSessions: 'Show chats',
  closeSessions: 'Hide chats',
  noSessions: 'Your chats will be listed here.',
  showMore: 'Show older',
  apiReference: 'API reference',
  rename: 'Rename',
  renameTitle: 'Title of the chat',
  remove: 'Delete',
  removeQuestion: 'Delete this chat?',
  removeExplanation: title => `“${title}” and everything said in it will be gone for good. Files in the workspace stay.`,
  cancel: 'Cancel',
  save: 'Save',
  skipToComposer: 'Skip to the message field',
  conversation: 'Conversation',

  theme: { system: 'Theme: like the system', light: 'Theme: light', dark: 'Theme: dark' },
  switchTheme: 'Change theme',
  switchLanguage: 'Language',
  thinkingLevel: 'Thinking',
  thinkingLevels: { off: 'Off', minimal: 'Minimal', low: 'Low', medium: 'Medium', high: 'High' },
  model: 'Model',
  demoBadge: 'Demo: a script, no AI',
  demoExplanation:
    'No model is configured, so a script answers a few messages. The tools and everything else are real. Set OPENAI_API_KEY or OPENAI_BASE_URL to use a model.',

  noSandbox: 'No sandbox for commands',
  noSandboxExplanation:
    'Commands run without a sandbox on this machine, with all rights of the gateway’s user. The rules of the gateway decide which ones ask you first.',

  emptyTitle: 'What shall we work on?',
  emptyText: 'The agent works in its own workspace: it reads and changes files, runs commands, plans, and asks you when it is unsure.',
  examples: [
    'Make a small project, ask me for a greeting and put it into the code',
    'Run the command: date && uname -sr',
    'List the files',
    'What can you do?',
  ],
  composerLabel: 'Message to the agent',
  composerPlaceholder: 'Message the agent…',
  composerBusyPlaceholder: 'Write the next message…',
  composerHint: 'Enter sends · Shift + Enter starts a new line',
  composerBusyHint: 'Enter sends it after this answer · Esc stops the agent',
  escapeAgain: 'Press Esc again to stop the agent',
  send: 'Send',
  stop: 'Stop',
  stopping: 'Stopping…',
  stopFailed: 'The run could not be stopped. Try again.',
  jumpToLatest: 'Jump to latest',

  you: 'You',
  agent: 'Agent',
  sending: 'Sending…',
  queued: 'Sent when the current answer is done',
  takeBack: 'Remove',
  working: 'Working…',
  thinking: 'Thinking…',
  thought: 'Thoughts',
  copy: 'Copy',
  copied: 'Copied',
  copyAnswer: 'Copy answer',
  retry: 'Try again',
  sendAgain: 'Send again',
  runFailed: 'The run failed',
  errorTitles: {
    model_unreachable: 'The model cannot be reached',
    model_timeout: 'The model did not answer in time',
    model_overloaded: 'The model is overloaded',
    model_refused: 'The model server refused the request',
    model_bad_response: 'The model server sent an unusable answer',
    model_too_large: 'The answer of the model is too large',
    interrupted: 'The run was interrupted',
    run_timeout: 'The run took too long',
    internal: 'Something went wrong in the gateway',
  },
  copyReport: 'Copy error report',
  editMessage: 'Edit message',
  notSent: 'Not sent',
  runCancelled: 'Stopped',
  runIncomplete: 'The run ended before the agent was done.',
  runCut: {
    max_iterations: 'The agent used all its tool rounds before it was done.',
    output_limit: 'The answer is cut off: the model reached its output limit.',
    content_filter: 'The answer is cut off: a content filter of the model stopped it.',
    budget: 'The run used up its budget before the agent was done.',
    timeout: 'The run reached its time limit before the agent was done.',
  },
  continueRun: 'Continue',
  continueRequest: 'Continue',
  usage: (input, output) => `${input} tokens in · ${output} out`,

  toolState: {
    running: 'Running',
    ok: 'Done',
    failed: 'Failed',
    stopped: 'Stopped',
    denied: 'Not allowed',
    unknown: 'Outcome unknown',
    ended: 'Done',
  },
  toolLabels: {
    bash: 'Run a command',
    read_file: 'Read a file',
    write_file: 'Write a file',
    list_dir: 'List a folder',
    patch: 'Change a file',
    todo: 'Update the plan',
    clarify: 'Ask you',
  },
  arguments: 'Arguments',
  output: 'Output so far',
  result: 'Result',
  changes: 'Changes',
  strategy: name => (name === 'exact' ? 'exact match' : `match: ${name.replaceAll('_', ' ')}`),
  cached: 'from cache',
  duplicate: 'repeated call',
  exitCode: code => `exit code ${code}`,
  noOutput: 'No output yet.',
  undo: 'Undo',
  undone: 'Undone',
  undoneNote: 'Undone: the file is as it was before. The agent will read it again before its next edit.',
  undoRefused: {
    changed: 'Cannot be undone: the file was changed again after this. Undo later changes first.',
    gone: 'Cannot be undone any more: the earlier content is no longer kept.',
  },

  plan: 'Plan',
  planProgress: (done, total) => `${done} of ${total} done`,
  todoStatus: { pending: 'To do', in_progress: 'In progress', completed: 'Done', cancelled: 'Dropped' },

  question: 'The agent asks',
  answerLabel: 'Your answer',
  answerPlaceholder: 'Answer the agent…',
  answerHint: 'Enter answers · Shift + Enter starts a new line',
  answering: question => `Your answer to “${question}”`,
  sendAsMessage: 'Send as a new message instead',
  answerInstead: 'Answer the question with this',
  answerTooLate: 'The question is closed. Your text is kept; Enter sends it as a message.',
  writeAnswer: 'Write an answer',
  writeOtherAnswer: 'Answer in your own words',
  choiceKeys: count => (count > 1 ? `Alt + 1 to ${count} chooses` : 'Alt + 1 chooses'),
  answer: 'Answer',
  timeLeft: text => `${text} left`,
  moreTime: 'More time',
  answered: 'Answered',
  answeredByYou: 'You answered',
  answeredElsewhere: 'Answered elsewhere',
  questionExpired: 'No answer in time; the agent decides by itself.',
  questionCancelled: 'The question was withdrawn.',
  questionNeedsYou: 'The agent waits for your answer',
  otherChatWaits: title => `In “${title}” the agent waits for your answer.`,
  openChat: 'Open that chat',

  approvalTitle: tool => `May this run? ${tool}`,
  allowOnce: 'Allow once',
  allowSession: 'Allow for this session',
  allowChanged: 'Allow with these changes',
  edit: 'Edit',
  deny: 'Deny',
  back: 'Back',
  denialReason: 'Reason, for the agent (optional)',
  changedArguments: 'Arguments to run instead',
  notJson: 'This is not valid JSON.',
  sessionScope: {
    exact: '“For this session” covers exactly this call, in this chat.',
    rule: '“For this session” covers everything this rule asks about for this tool, in this chat.',
    none: 'The same command can do something else later in this terminal, so each one is asked about.',
  },
  taintKind: { private: 'Private content was read', untrusted: 'Untrusted text was read' },
  approvalOutcome: {
    allow_once: 'Allowed once',
    allow_session: 'Allowed for this session',
    changed: 'Allowed with changes',
    deny: 'Denied',
    expired: 'Nobody answered in time, so it did not run.',
    cancelled: 'No longer asked: it did not run.',
  },
  byYou: 'by you',
  elsewhere: 'elsewhere',

  connecting: 'Connecting…',
  offline: 'Connection lost. The agent goes on working; this page catches up by itself.',
  reconnectNow: 'Try now',
  backOnline: 'Connected again.',
  loading: 'Loading…',
  sessionMissing: 'There is no such chat. It may have been deleted.',
  startNewChat: 'Start a new chat',
  sessionFailed: 'This chat could not be loaded. The page tries again as soon as the gateway answers.',
  requestFailed: 'That did not work. Try again.',
  close: 'Close',
};
