/** What the tools of features can do, for one caller: a feature adds a source, and the context of each call is made from all sources. */
import type { Actor } from '../../port/principal';
import type { RunTools } from '../../port/run_tools';
import type { Locale } from '../../port/store/sessions';
import type { TraceContext } from '../../port/trace_context';
import type { ToolAccess } from '../../tools/common';

/** The caller of tools: a run, whose agent calls them, or a direct call of a person. */
export interface ToolCaller extends Actor {
  locale: Locale;
  trace?: TraceContext;
  run?: { sessionId: string; runId: string; tools?: RunTools };
}

/** Returns an object without state, because a run makes one for each turn. */
export type ToolAccessSource = (caller: ToolCaller) => ToolAccess;

export class ToolAccessSources {
  private readonly sources: ToolAccessSource[] = [];

  /** Adds a source. Call it before the first run. */
  add(source: ToolAccessSource): void {
    this.sources.push(source);
  }

  /** Returns what the features give to the tools of this caller. */
  accessFor(caller: ToolCaller): ToolAccess {
    return Object.assign({}, ...this.sources.map(source => source(caller)));
  }
}
