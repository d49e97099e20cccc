/** A state of a page that is photographed. */
import type { BrowserContext, Page } from 'playwright-core';
import type { MockModel } from '../support/mock_model';
import type { Look } from './looks';
import type { PeopleStudio, PersonName } from './people_studio';

/** Where the state is reached: the page is at `path` already. */
export interface Place {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly model: MockModel;
  readonly look: Look;
  /** Address of the gateway, without a slash at the end. */
  readonly url: string;
  readonly people: PeopleStudio;
}

export interface ShotState {
  /** Name of the picture. */
  readonly name: string;
  /** Path of the address to open. */
  readonly path: string;
  /** The gateway to open: with the mock model, the demo without a model, or the one with several people. */
  readonly gateway?: 'demo' | 'people';
  /** Who is logged in. */
  readonly as?: PersonName;
  /** A selector that is there when the page can be used. */
  readonly ready: string;
  /** Brings the page into the state. */
  reach?(place: Place): Promise<void>;
  /** True when a failed request belongs to the state. */
  readonly hasErrors?: true;
}

export const byTestId = (id: string, state = ''): string => `[data-testid="${id}"]${state}`;
