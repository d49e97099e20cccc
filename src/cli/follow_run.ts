/** Shows a run while it goes on: the answer on stdout, tools and plan on stderr. */
import { createInterface } from 'node:readline/promises';
import type { ApprovalRequest, ClarifyRequest, RunEvent, RunResult } from '../../clients/typescript/src/types';
import { showInvisible } from '../utils/invisible_text';
import { EXIT, type Invocation } from './command';
import { withoutControls } from './output';
import { TEXTS } from './texts';

const MARKS: Record<string, string> = { completed: '✓', in_progress: '→', pending: '○', cancelled: '✗' };
const MAX_ARGUMENTS = 80;

/** Returns a listener that shows each event. */
export function showEvents({ output, language }: Invocation): (event: RunEvent) => void {
  let hasText = false;
  return event => {
    if (output.isJson) return output.json(event);
    switch (event.type) {
      case 'text_delta':
        hasText = true;
        return output.text(event.data.text);
      case 'message_end':
        if (hasText) output.text('\n');
        else if (event.data.content) output.text(`${event.data.content}\n`);
        hasText = false;
        return;
      case 'tool_call_start':
        return output.note(`· ${event.data.label} ${clip(JSON.stringify(event.data.args))}`, 'dim');
      case 'tool_call_end':
        if (!event.data.ok) output.note(`✗ ${clip(event.data.result)}`, 'yellow');
        return;
      case 'todo_update':
        for (const { status, content } of event.data.todos) output.note(`${MARKS[status] ?? '○'} ${withoutControls(content)}`, 'cyan');
        return;
      case 'delegate_start':
        return output.note(`» ${event.data.member}: ${clip(event.data.task)}`, 'cyan');
      case 'run_end':
        output.endLine();
        if (event.data.error) output.note(`${TEXTS.failed[language]}: ${withoutControls(event.data.error.message)}`, 'red');
    }
  };
}

/** Tells a person how an ended run goes on, and returns the exit code. */
export function exitCodeOf({ status, reason, clarification, sessionId }: RunResult, { output, language }: Invocation): number {
  if (status === 'completed' && !clarification) return EXIT.done;
  if (clarification) {
    if (!output.isJson) output.note(`${TEXTS.answerLater[language]} neta run --session ${sessionId} "..."`, 'yellow');
    return EXIT.incomplete;
  }
  if (status !== 'incomplete') return EXIT.failed;
  if (!output.isJson) output.note(`${TEXTS.endedEarly[language]}: ${reason ?? ''}`, 'yellow');
  return EXIT.incomplete;
}

/** Returns callbacks that ask the person at the terminal; none when no terminal is there. */
export function askAtTerminal(invocation: Invocation, signal: AbortSignal) {
  const { output, language } = invocation;
  if (output.isJson || !process.stdin.isTTY || !process.stderr.isTTY) return {};
  return {
    async onQuestion({ question, choices = [] }: ClarifyRequest): Promise<string> {
      output.note(`? ${withoutControls(question)}`, 'bold');
      for (const [i, choice] of choices.entries()) output.note(`  ${i + 1}. ${withoutControls(choice)}`);
      const answer = await ask(choices.length > 0 ? TEXTS.orNumber[language] : TEXTS.yourAnswer[language], signal);
      return choices[Number(answer) - 1] ?? answer;
    },
    async onApproval({ tool, args, reason, notBy }: ApprovalRequest): Promise<'allow_once' | 'deny'> {
      output.note(`? ${tool} ${TEXTS.needsApproval[language]}: ${withoutControls(reason ?? '')}`, 'bold');
      // Makes characters visible that show nothing or reorder what is shown: they must not hide what would run.
      output.note(`  ${showInvisible(JSON.stringify(args))}`);
      if (notBy) output.note(`  ${TEXTS.asksColleagues[language]}: ${notBy.join(', ')}`);
      return /^y/i.test(await ask(TEXTS.allow[language], signal)) ? 'allow_once' : 'deny';
    },
  };
}

async function ask(prompt: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const answer = (await terminal.question(`${prompt}: `, { signal })).trim();
      if (answer !== '' || /\[/.test(prompt)) return answer;
    }
  } finally {
    terminal.close();
  }
}

function clip(text: string): string {
  const line = withoutControls(text).replaceAll(/\s+/g, ' ');
  return line.length <= MAX_ARGUMENTS ? line : `${line.slice(0, MAX_ARGUMENTS)}…`;
}
