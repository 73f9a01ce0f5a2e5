import type { CodeWindow } from './code-window';
import { productId } from './product';

/** Goes through the set-up page: ticks or unticks the boxes by name, applies, waits until it says that it is done. */
export async function setUp(window: CodeWindow, boxes: Record<string, boolean>): Promise<void> {
  await window.runCommand('Set up kiro-learn');
  const page = window.webview(productId());
  await page.getByRole('button', { name: 'Apply' }).waitFor();
  for (const [name, checked] of Object.entries(boxes)) {
    const box = page.getByRole('checkbox', { name });
    if ((await box.isChecked()) !== checked) await box.press('Space');
  }
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/Done\. Wrote/).waitFor();
}
