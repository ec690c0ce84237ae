// Runs at the end of a page for signed-in users, inline. Shows the frame of the user's role until the page has loaded.
(() => {
  try {
    // A view of the portal as a customer shows its banner first (web/app/view-banner.tsx).
    if (sessionStorage.getItem("xer-portal.view") !== null) return;
    const { accessToken } = JSON.parse(localStorage.getItem("xer-portal.session"));
    const body = atob(accessToken.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(body, (char) => char.charCodeAt(0))));
    const frame = document.getElementById(`frame-${claims.rol}`);
    if (!frame) return;
    const root = document.getElementById("root");
    root.append(frame.content.cloneNode(true));
    root.setAttribute("data-frame", "");
    const names = [claims.given_name ?? "", claims.family_name ?? ""];
    const initials = names
      .map(([first = ""]) => first)
      .join("")
      .toUpperCase();
    if (initials) root.querySelector("[data-initials]").textContent = initials;
    const roles = claims.staff_roles ?? [];
    if (claims.rol !== "admin" || roles.length === 0 || roles.includes("owner")) return;
    for (const link of root.querySelectorAll("[data-roles]"))
      if (!link.dataset.roles.split(" ").some((role) => roles.includes(role))) link.remove();
  } catch {
    // Signed out, or storage is blocked. The page loads without a frame.
  }
})();
