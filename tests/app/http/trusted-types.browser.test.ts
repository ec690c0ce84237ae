import { expect, test } from "@playwright/test";

for (const path of ["/", "/login/", "/playground/"])
  test(`refuses scripts, frames and event handlers that a script adds to ${path}`, async ({ page }) => {
    await page.goto(path);
    const outcomes = await page.evaluate(() => {
      const attempt = (work: () => void) => {
        try {
          work();
          return "allowed";
        } catch (error) {
          return (error as Error).name;
        }
      };
      const element = document.createElement("div");
      const script = document.createElement("script");
      return {
        text: attempt(() => (element.innerHTML = "<p title='on = off'>once = <b>one</b></p>")),
        script: attempt(() => (element.innerHTML = "<script>1</script>")),
        frame: attempt(() => (element.innerHTML = '<iframe src="https://evil.example"></iframe>')),
        handler: attempt(() => (element.innerHTML = "<img src=x onerror=alert(1)>")),
        ownFile: attempt(() => (script.src = "/assets/none.js")),
        otherHost: attempt(() => (script.src = "https://js.stripe.com.evil.example/v3")),
        code: attempt(() => (script.text = "alert(1)")),
        provider: attempt(() => (script.src = "https://js.stripe.com/v3")),
      };
    });
    const error = "TypeError";
    const refused = { script: error, frame: error, handler: error, otherHost: error, code: error };
    expect(outcomes).toEqual({ text: "allowed", ownFile: "allowed", provider: "allowed", ...refused });
  });
