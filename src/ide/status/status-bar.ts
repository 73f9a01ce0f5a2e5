import * as vscode from 'vscode';
import type { Disposable } from '../../contract/disposable';
import type { Injection } from '../../contract/injection';
import type { StreamEvent } from '../../contract/local-api';
import type { CollectorStatus } from '../../contract/status';
import type { CollectorClient } from '../collector-client';
import { statusView, type StatusInput } from './status-view';

const flashMs = 8000;

/** What the rest of the window knows and the collector does not. */
export interface WindowFacts {
  readonly windowPaused: boolean;
  readonly setUp: boolean;
  readonly trusted: boolean;
}

/** The buffer indicator: counts up while events wait, drains to 0, says what happened to the last prompt. */
export class StatusBar implements Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly subscriptions: { dispose(): void }[];
  private status: CollectorStatus | undefined;
  private injection: Injection | undefined;
  private flashTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: CollectorClient,
    private readonly facts: WindowFacts,
  ) {
    this.item = vscode.window.createStatusBarItem('kiro-learn.buffer', vscode.StatusBarAlignment.Right, 90);
    this.item.name = vscode.l10n.t('kiro-learn memory');
    this.item.command = 'kiro-learn.statusMenu';
    this.subscriptions = [
      client.subscribe((event) => this.heard(event)),
      client.onLife((life) => {
        if (life.life === 'ready') void this.refresh();
        this.draw();
      }),
    ];
    this.draw();
    this.item.show();
  }

  /** The last status heard, undefined before the first. */
  get lastStatus(): CollectorStatus | undefined {
    return this.status;
  }

  /** The injection that the indicator is telling of right now. */
  get flashing(): Injection | undefined {
    return this.flashTimer === undefined ? undefined : this.injection;
  }

  /** Draws again after the window's own facts changed. */
  draw(): void {
    const input: StatusInput = {
      life: this.client.life,
      windowPaused: this.facts.windowPaused,
      setUp: this.facts.setUp,
      trusted: this.facts.trusted,
      now: Date.now(),
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(this.flashing === undefined ? {} : { flash: this.flashing.records.length }),
    };
    const view = statusView(input, vscode.l10n.t);
    this.item.text = view.text;
    const tooltip = new vscode.MarkdownString('', true);
    view.tooltip.forEach((line, index) => {
      if (index > 0) tooltip.appendMarkdown('\n\n');
      tooltip.appendText(line);
    });
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: view.accessibility, role: 'button' };
    this.item.command = this.flashing === undefined ? 'kiro-learn.statusMenu' : 'kiro-learn.showInjection';
    this.item.backgroundColor =
      view.background === undefined
        ? undefined
        : new vscode.ThemeColor(`statusBarItem.${view.background}Background`);
  }

  dispose(): void {
    clearTimeout(this.flashTimer);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item.dispose();
  }

  private heard(event: StreamEvent): void {
    if (event.stream === 'status') {
      this.status = event.status;
      this.draw();
    } else if (event.stream === 'injection' && event.injection.records.length > 0) {
      this.flash(event.injection);
    } else if (event.stream === 'resync') {
      void this.refresh();
    }
  }

  private flash(injection: Injection): void {
    this.injection = injection;
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => {
      this.flashTimer = undefined;
      this.draw();
    }, flashMs);
    this.draw();
  }

  private async refresh(): Promise<void> {
    try {
      this.status = await this.client.call('status', {});
      this.draw();
    } catch {
      // The next status of the stream, or the next start, draws it.
    }
  }
}
