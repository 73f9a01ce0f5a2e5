import { css } from 'lit';

/** One sheet for every page; all colors and fonts are the theme's. */
export const pageStyles = css`
  html,
  body {
    height: 100%;
  }
  body {
    margin: 0;
    padding: 0;
    font-family: var(--vscode-font-family, sans-serif);
    font-size: var(--vscode-font-size, 13px);
    color: var(--vscode-foreground);
    --kl-line: var(--vscode-panel-border, var(--vscode-widget-border, rgba(128, 128, 128, 0.35)));
    --kl-contrast: var(--vscode-contrastBorder, transparent);
    --kl-soft: var(--vscode-textBlockQuote-background, rgba(128, 128, 128, 0.12));
    --kl-dim: var(--vscode-descriptionForeground, var(--vscode-foreground));
    --kl-blue: var(--vscode-charts-blue, var(--vscode-foreground));
    --kl-green: var(--vscode-charts-green, var(--vscode-foreground));
    --kl-orange: var(--vscode-charts-orange, var(--vscode-foreground));
    --kl-purple: var(--vscode-charts-purple, var(--vscode-foreground));
    --kl-yellow: var(--vscode-editorWarning-foreground, var(--vscode-foreground));
    --kl-red: var(--vscode-errorForeground, var(--vscode-editorError-foreground));
  }
  .kl-root,
  kl-app,
  .kl-page {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 0;
  }
  kl-memories,
  kl-events,
  kl-recall,
  kl-insights,
  kl-health {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  h1,
  h2,
  h3 {
    font-weight: 600;
    line-height: 1.3;
  }
  h1 {
    font-size: 1.6em;
    margin: 0 0 8px;
  }
  h2 {
    font-size: 1.15em;
    margin: 0 0 8px;
  }
  h3 {
    font-size: 1em;
    margin: 18px 0 6px;
  }
  p {
    margin: 6px 0;
    line-height: 1.45;
  }
  .codicon {
    vertical-align: text-bottom;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }

  .kl-head {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 6px 10px;
    min-height: 28px;
  }
  .kl-state {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
    min-width: 0;
  }
  .kl-scope {
    width: 150px;
    min-width: 90px;
    flex-shrink: 1;
  }
  .kl-grow {
    flex: 1;
    min-width: 0;
  }
  .kl-shrink {
    flex-shrink: 0;
  }
  .kl-dim {
    color: var(--kl-dim);
  }
  .kl-warn {
    color: var(--kl-yellow);
  }
  .kl-bad {
    color: var(--kl-red);
  }
  .kl-good .codicon {
    color: var(--vscode-testing-iconPassed, var(--kl-green));
  }
  .kl-strong {
    font-weight: 600;
  }
  .kl-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .kl-mono {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: var(--vscode-editor-font-size, 12px);
  }
  .kl-ellipsis {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    min-width: 0;
  }

  .kl-icon-button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    flex-shrink: 0;
    width: 24px;
    height: 24px;
    padding: 0;
    border: 1px solid transparent;
    border-radius: 4px;
    background: none;
    color: var(--vscode-icon-foreground, inherit);
    cursor: pointer;
  }
  .kl-icon-button:hover:not(:disabled) {
    background: var(--vscode-toolbar-hoverBackground, var(--kl-soft));
    border-color: var(--kl-contrast);
  }
  .kl-icon-button:disabled {
    opacity: 0.4;
    cursor: default;
  }
  .kl-icon-button[aria-pressed='true'] {
    background: var(--vscode-inputOption-activeBackground, var(--kl-soft));
    color: var(--vscode-inputOption-activeForeground, inherit);
    border-color: var(--vscode-inputOption-activeBorder, var(--kl-contrast));
  }
  .kl-link {
    border: 0;
    padding: 0;
    background: none;
    color: var(--vscode-textLink-foreground);
    font: inherit;
    text-align: left;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  .kl-link.kl-mono {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: var(--vscode-editor-font-size, 12px);
  }
  .kl-link:hover {
    color: var(--vscode-textLink-activeForeground, var(--vscode-textLink-foreground));
    text-decoration: underline;
  }

  .kl-banner {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 6px 10px;
    border: 1px solid var(--vscode-inputValidation-warningBorder, var(--kl-line));
    background: var(--vscode-inputValidation-warningBackground, var(--kl-soft));
    color: var(--vscode-inputValidation-warningForeground, var(--vscode-foreground));
    margin: 0 10px 6px;
    border-radius: 4px;
  }
  .kl-banner-bad {
    border-color: var(--vscode-inputValidation-errorBorder, var(--kl-red));
    background: var(--vscode-inputValidation-errorBackground, var(--kl-soft));
    color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground));
  }

  .kl-tabs {
    display: flex;
    gap: 2px;
    padding: 0 6px;
    border-bottom: 1px solid var(--kl-line);
  }
  .kl-tab {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 7px 8px;
    border: 0;
    border-bottom: 2px solid transparent;
    margin-bottom: -1px;
    background: none;
    color: var(--vscode-panelTitle-inactiveForeground, var(--kl-dim));
    font: inherit;
    cursor: pointer;
    min-width: 0;
  }
  .kl-tab:hover {
    color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
  }
  .kl-tab[aria-selected='true'] {
    color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
    border-bottom-color: var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder));
  }
  .kl-main {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  @media (max-width: 420px) {
    .kl-scope {
      width: 110px;
    }
    .kl-duration {
      display: none;
    }
  }
  @media (max-width: 520px) {
    .kl-tab {
      flex: 1;
      justify-content: center;
    }
    .kl-tab[aria-selected='false'] .kl-tab-text {
      display: none;
    }
    .kl-tab[aria-selected='true'] {
      flex: 2;
    }
  }

  .kl-split {
    display: flex;
    flex: 1;
    min-height: 0;
  }
  .kl-side {
    display: flex;
    flex-direction: column;
    flex: 1 1 46%;
    min-width: 0;
    min-height: 0;
    position: relative;
  }
  .kl-detail {
    display: flex;
    flex-direction: column;
    flex: 1 1 54%;
    min-width: 0;
    min-height: 0;
    border-left: 1px solid var(--kl-line);
    overflow: hidden;
  }
  kl-memory-detail,
  kl-event-detail {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  .kl-split-open:not(.kl-has-detail) > .kl-detail {
    display: none;
  }
  @media (max-width: 719px) {
    .kl-detail {
      display: none;
      border-left: 0;
    }
    .kl-has-detail > .kl-side {
      display: none;
    }
    .kl-has-detail > .kl-detail {
      display: flex;
    }
  }
  .kl-detail-head {
    display: flex;
    align-items: center;
    gap: 2px;
    padding: 6px 10px;
    min-height: 28px;
    border-bottom: 1px solid var(--kl-line);
  }
  .kl-article {
    flex: 1;
    min-height: 0;
    overflow: auto;
    padding: 12px 16px 24px;
  }
  .kl-title {
    overflow-wrap: anywhere;
  }
  .kl-prose {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .kl-hint {
    margin: auto;
    padding: 24px;
    text-align: center;
  }

  .kl-toolbar {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 8px 10px 4px;
  }
  .kl-search {
    width: auto;
  }
  .kl-count {
    padding: 2px 12px 6px;
    min-height: 1.3em;
  }
  .kl-kinds {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
    padding: 2px 10px 6px;
  }
  .kl-toggle {
    border: 1px solid var(--vscode-button-border, var(--kl-line));
    border-radius: 10px;
    padding: 1px 9px;
    background: none;
    color: inherit;
    font: inherit;
    font-size: 0.92em;
    cursor: pointer;
  }
  .kl-toggle:hover {
    background: var(--vscode-toolbar-hoverBackground, var(--kl-soft));
  }
  .kl-toggle[aria-pressed='true'] {
    background: var(--vscode-inputOption-activeBackground, var(--vscode-badge-background));
    color: var(--vscode-inputOption-activeForeground, var(--vscode-badge-foreground));
    border-color: var(--vscode-inputOption-activeBorder, var(--vscode-focusBorder));
  }
  .kl-filters {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(130px, 1fr));
    gap: 8px;
    align-items: end;
    padding: 6px 10px 8px;
  }
  .kl-field {
    display: flex;
    flex-direction: column;
    gap: 3px;
    min-width: 0;
  }
  .kl-field vscode-textfield,
  .kl-field vscode-single-select,
  .kl-field vscode-textarea {
    width: 100%;
  }
  .kl-live {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    white-space: nowrap;
  }
  .kl-dot {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--vscode-testing-iconPassed, var(--kl-green));
  }
  .kl-live.kl-dim .kl-dot {
    background: var(--kl-dim);
  }

  kl-list {
    display: block;
  }
  .kl-fill {
    flex: 1;
    min-height: 0;
  }
  .kl-scroller {
    height: 100%;
    overflow: auto;
    overflow-anchor: none;
    outline-offset: -1px;
  }
  .kl-space {
    position: relative;
    overflow: hidden;
  }
  .kl-window {
    position: absolute;
    inset: 0 0 auto;
    will-change: transform;
  }
  .kl-row {
    display: flex;
    align-items: center;
    gap: 8px;
    height: var(--kl-row-height, 28px);
    padding: 0 12px 0 8px;
    box-sizing: border-box;
    cursor: pointer;
    overflow: hidden;
    white-space: nowrap;
  }
  .kl-row:hover {
    background: var(--vscode-list-hoverBackground, var(--kl-soft));
    outline: 1px dashed var(--kl-contrast);
    outline-offset: -1px;
  }
  .kl-row.kl-opened {
    background: var(--vscode-list-inactiveSelectionBackground, var(--kl-soft));
    color: var(--vscode-list-inactiveSelectionForeground, inherit);
    outline: 1px solid var(--kl-contrast);
    outline-offset: -1px;
  }
  .kl-scroller:focus .kl-row.kl-opened {
    background: var(--vscode-list-activeSelectionBackground, var(--kl-soft));
    color: var(--vscode-list-activeSelectionForeground, inherit);
  }
  .kl-row.kl-opened .kl-dim,
  .kl-row.kl-opened .kl-preview,
  .kl-row.kl-opened .kl-bad,
  .kl-row.kl-opened .kl-event-label,
  .kl-scroller:focus .kl-row.kl-opened .kl-type,
  .kl-scroller:focus .kl-row.kl-opened .kl-event-icon {
    color: inherit;
  }
  .kl-scroller:focus-visible {
    outline: none;
  }
  .kl-scroller:focus-visible .kl-row.kl-active {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  .kl-lines {
    display: flex;
    flex-direction: column;
    gap: 2px;
    flex: 1;
    min-width: 0;
  }
  .kl-line1 {
    display: flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
  }
  .kl-line2 {
    font-size: 0.92em;
  }
  .kl-check {
    opacity: 0;
    flex-shrink: 0;
  }
  .kl-row:hover .kl-check,
  .kl-scroller:focus-visible .kl-row.kl-active .kl-check,
  .kl-chosen .kl-check,
  .kl-scroller:has(.kl-chosen) .kl-check {
    opacity: 1;
  }
  .kl-chosen .kl-check {
    color: var(--vscode-textLink-foreground);
  }
  .kl-faded .kl-lines {
    opacity: 0.75;
  }
  .kl-skeleton {
    height: 10px;
    width: 55%;
    margin-left: 56px;
    border-radius: 3px;
    background: var(--kl-soft);
  }
  .kl-type-decision {
    color: var(--kl-blue);
  }
  .kl-type-error {
    color: var(--kl-red);
  }
  .kl-type-discovery {
    color: var(--kl-yellow);
  }
  .kl-type-pattern {
    color: var(--kl-purple);
  }
  .kl-type-preference {
    color: var(--kl-green);
  }
  .kl-chips {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .kl-chip {
    display: inline-flex;
    align-items: center;
    flex-shrink: 0;
    gap: 3px;
    padding: 0 6px;
    border: 1px solid var(--kl-line);
    border-radius: 9px;
    font-size: 0.86em;
    line-height: 16px;
  }

  .kl-session {
    background: var(--vscode-sideBarSectionHeader-background, var(--kl-soft));
    border-top: 1px solid var(--kl-line);
    cursor: default;
    gap: 6px;
  }
  .kl-session > .kl-ellipsis {
    flex: 0 1 auto;
  }
  .kl-time {
    font-weight: normal;
    font-style: normal;
    flex-shrink: 0;
    font-variant-numeric: tabular-nums;
    font-size: 0.92em;
  }
  .kl-event-label {
    flex-shrink: 0;
    max-width: 40%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .kl-preview {
    flex: 1;
    color: var(--kl-dim);
  }
  .kl-tone-user {
    font-weight: 600;
  }
  .kl-tone-user .kl-preview {
    color: inherit;
  }
  .kl-tone-user .kl-event-icon {
    color: var(--kl-blue);
  }
  .kl-tone-agent .kl-event-icon {
    color: var(--kl-green);
  }
  .kl-tone-tool .kl-event-icon {
    color: var(--kl-orange);
  }
  .kl-tone-reasoning {
    font-style: italic;
  }
  .kl-tone-task .kl-event-icon,
  .kl-tone-waiting .kl-event-icon {
    color: var(--kl-purple);
  }
  .kl-event.kl-failed .kl-event-icon,
  .kl-tone-error .kl-event-label {
    color: var(--kl-red);
  }
  .kl-depth-1 .kl-time {
    margin-right: 14px;
  }
  .kl-depth-2 .kl-time {
    margin-right: 30px;
  }
  .kl-depth-3 .kl-time {
    margin-right: 46px;
  }
  .kl-turn {
    border-top: 1px solid var(--kl-line);
  }
  .kl-session + .kl-turn {
    border-top: 0;
  }
  .kl-pending {
    color: var(--kl-blue);
    flex-shrink: 0;
  }
  .kl-newest {
    position: absolute;
    bottom: 12px;
    left: 0;
    right: 0;
    display: flex;
    justify-content: center;
    pointer-events: none;
  }
  .kl-newest > * {
    pointer-events: auto;
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }

  .kl-selection,
  .kl-toast {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 4px 10px;
    background: var(--vscode-editorWidget-background, var(--kl-soft));
    border-top: 1px solid var(--kl-line);
    border-bottom: 1px solid var(--kl-line);
  }

  .kl-empty {
    margin: auto;
    padding: 24px;
    max-width: 420px;
    text-align: center;
  }
  .kl-empty-icon .codicon {
    font-size: 36px;
    opacity: 0.7;
    margin-bottom: 10px;
  }
  .kl-empty vscode-progress-ring {
    margin: auto;
  }
  .kl-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    justify-content: center;
    margin-top: 12px;
  }
  .kl-actions-left {
    justify-content: flex-start;
  }
  .kl-empty .kl-actions {
    flex-direction: column;
    align-items: center;
  }

  .kl-facts {
    margin: 0;
    padding-left: 20px;
    line-height: 1.5;
  }
  .kl-facts li {
    overflow-wrap: anywhere;
  }
  .kl-plain {
    list-style: none;
    margin: 0;
    padding: 0;
    line-height: 1.7;
  }
  .kl-quote {
    margin: 0 0 8px;
    padding: 6px 10px;
    border-left: 3px solid var(--vscode-textBlockQuote-border, var(--kl-line));
    background: var(--kl-soft);
  }
  .kl-quote footer {
    display: flex;
    flex-wrap: wrap;
    gap: 10px;
    font-size: 0.92em;
  }
  .kl-table {
    display: grid;
    grid-template-columns: minmax(90px, max-content) 1fr;
    gap: 4px 14px;
    margin: 0;
  }
  .kl-table dt {
    color: var(--kl-dim);
  }
  .kl-table dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .kl-details {
    margin-top: 10px;
  }
  .kl-details summary {
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
    width: fit-content;
  }
  .kl-history {
    padding-left: 22px;
    line-height: 1.6;
  }
  .kl-was {
    text-decoration: line-through;
  }
  .kl-editor {
    display: flex;
    flex-direction: column;
    gap: 10px;
  }
  .kl-editor .kl-actions {
    justify-content: flex-start;
    margin-top: 0;
  }
  .kl-block {
    margin: 4px 0;
    padding: 8px 10px;
    max-height: 420px;
    overflow: auto;
    background: var(--vscode-textCodeBlock-background, var(--kl-soft));
    border: 1px solid var(--kl-contrast);
    border-radius: 3px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    line-height: 1.45;
  }
  .kl-block.kl-prose {
    font-family: inherit;
  }
  .kl-card {
    padding: 8px 10px;
    margin-bottom: 6px;
    border: 1px solid var(--kl-line);
    border-radius: 4px;
    line-height: 1.5;
  }

  .kl-scroll {
    flex: 1;
    min-height: 0;
    overflow: auto;
    padding: 4px 16px 24px;
  }
  .kl-scroll .kl-toolbar {
    padding-left: 0;
  }
  .kl-range {
    width: 90px;
  }
  .kl-health {
    max-width: 760px;
  }
  .kl-charts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr));
    gap: 16px;
  }
  .kl-figure {
    margin: 0;
    min-width: 0;
  }
  kl-chart {
    display: block;
    min-width: 0;
    margin-top: 6px;
  }
  .uplot,
  .u-wrap {
    position: relative;
    line-height: 1.5;
    user-select: none;
  }
  .u-over,
  .u-under,
  .u-axis {
    position: absolute;
  }
  .u-wrap canvas {
    display: block;
    position: relative;
    width: 100%;
    height: 100%;
  }
  .kl-legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    list-style: none;
    padding: 0;
    margin: 4px 0 0;
    font-size: 0.92em;
  }
  .kl-swatch {
    display: inline-block;
    width: 9px;
    height: 9px;
    margin-right: 5px;
    border-radius: 2px;
  }
  .kl-swatch-blue {
    background: var(--kl-blue);
  }
  .kl-swatch-orange {
    background: var(--kl-orange);
  }
  .kl-swatch-green {
    background: var(--kl-green);
  }
  .kl-swatch-purple {
    background: var(--kl-purple);
  }
  .kl-table-scroll {
    max-height: 220px;
    overflow: auto;
  }
  .kl-grid {
    border-collapse: collapse;
    min-width: min(100%, 360px);
  }
  .kl-grid th,
  .kl-grid td {
    padding: 3px 14px 3px 0;
    text-align: right;
    border-bottom: 1px solid var(--kl-line);
    font-variant-numeric: tabular-nums;
  }
  .kl-grid th:first-child {
    text-align: left;
  }
  .kl-grid thead th {
    color: var(--kl-dim);
    font-weight: normal;
  }
  .kl-grid tbody th {
    font-weight: normal;
  }

  kl-setup {
    display: block;
    height: 100%;
    overflow: auto;
  }
  .kl-setup {
    max-width: 780px;
    margin: 0 auto;
    padding: 20px 20px 32px;
  }
  .kl-note {
    display: flex;
    gap: 8px;
    padding: 8px 10px;
    background: var(--kl-soft);
    border: 1px solid var(--kl-contrast);
    border-radius: 4px;
  }
  .kl-dialect {
    max-width: 380px;
    margin: 12px 0;
  }
  .kl-box {
    padding: 12px 0;
    border-top: 1px solid var(--kl-line);
  }
  .kl-box vscode-checkbox {
    font-weight: 600;
  }
  .kl-box > p {
    margin-left: 28px;
  }
  .kl-file {
    margin: 6px 0 6px 28px;
  }
  .kl-path {
    overflow-wrap: anywhere;
  }
  .kl-foot {
    position: sticky;
    bottom: 0;
    padding: 10px 0 14px;
    background: var(--vscode-editor-background, var(--vscode-sideBar-background));
    border-top: 1px solid var(--kl-line);
  }
  .kl-foot .kl-actions {
    margin-top: 0;
  }

  @media (prefers-reduced-motion: reduce) {
    .codicon-modifier-spin {
      animation: none;
    }
  }
`;
