import type { KeyedReplays } from './replay/keyed_replays';
import type { ReplayService } from './replay/replay_service';
import type { SuiteService } from './suite/suite_service';

/** The services of this feature, by the names under which its controllers inject them. */
export interface ReplayServices {
  keyedReplays: KeyedReplays;
  replayService: ReplayService;
  suiteService: SuiteService;
}
