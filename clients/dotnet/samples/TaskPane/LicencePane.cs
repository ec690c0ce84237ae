using System;
using System.Diagnostics;
using System.Drawing;
using System.Linq;
using System.Threading.Tasks;
using System.Windows.Forms;
using LicencePortal;

/// <summary>Task pane of a VSTO add-in: activate, sign in, valid, grace, seat refused, update. It emails the code that moves a licence; what
/// follows, <c>ListDevicesAsync</c> and an activation that replaces a device, needs a list of your own. Add the pane with
/// <c>CustomTaskPanes.Add(new LicencePane(client), "Licence")</c>.</summary>
public sealed class LicencePane : UserControl
{
    readonly LicenceClient client;
    readonly LicenceSession session;
    readonly Label message = new Label { AutoSize = true, MaximumSize = new Size(260, 0) };
    readonly Label warnings = new Label { AutoSize = true, MaximumSize = new Size(260, 0), ForeColor = Color.DarkGoldenrod };
    readonly TextBox code = new TextBox { Width = 240, AccessibleName = "Licence code" };
    readonly Button activate = new Button { Text = "Activate", AutoSize = true };
    readonly Button signIn = new Button { Text = "Sign in instead", AutoSize = true };
    readonly Button next = new Button { AutoSize = true };
    Decision decision;

    /// <summary>Raised when the ribbon should be enabled or disabled.</summary>
    public event EventHandler<bool> CanRunChanged;

    public LicencePane(LicenceClient client)
    {
        this.client = client;
        session = new LicenceSession(client); // Its events arrive on this thread.
        session.Checked += (sender, one) => Show(one);
        var rows = new FlowLayoutPanel { Dock = DockStyle.Fill, FlowDirection = FlowDirection.TopDown, WrapContents = false, Padding = new Padding(12) };
        rows.Controls.AddRange(new Control[] { message, warnings, code, activate, signIn, next });
        Controls.Add(rows);
        activate.Click += async (sender, arguments) => await RunAsync(() => client.ActivateAsync(code.Text));
        signIn.Click += async (sender, arguments) => await SignInAsync();
        next.Click += async (sender, arguments) => await TakeOfferAsync();
        Load += async (sender, arguments) => await RunAsync(session.StartAsync);
    }

    async Task RunAsync(Func<Task<Decision>> work)
    {
        Enabled = false;
        var result = await work();
        // An activation of a concurrent licence still needs a seat, and the timers must run.
        if (result.Reason == Reason.SeatNeeded || result.CanRun) result = await session.StartAsync();
        Enabled = true;
        Show(result);
    }

    async Task SignInAsync()
    {
        var progress = await client.SignInAsync(started => BeginInvoke(new Action(() =>
        {
            message.Text = "Confirm the code " + started.UserCode + " in the browser. Only enter it if you started this.";
            Process.Start(new ProcessStartInfo(started.Page.AbsoluteUri) { UseShellExecute = true });
        })));
        if (progress.Decision != null) await RunAsync(() => Task.FromResult(progress.Decision));
        else message.Text = "The sign-in wasn't confirmed. You can start again.";
    }

    void Show(Decision one)
    {
        decision = one;
        message.Text = one.CanRun && one.Message == "" ? "Licensed until " + one.LicenceExpires?.ToLocalTime().ToString("d") : one.Message;
        warnings.Text = string.Join(Environment.NewLine, one.Warnings.Select(LicenceTexts.OfWarning));
        code.Visible = activate.Visible = signIn.Visible = one.Offer == Offer.Activate || one.Offer == Offer.RetypeCode;
        next.Text = TextOf(one.Offer);
        next.Visible = next.Text != "";
        CanRunChanged?.Invoke(this, one.CanRun);
    }

    static string TextOf(Offer offer)
    {
        switch (offer)
        {
            case Offer.Retry: return "Try again";
            case Offer.TakeSeat: return "Take a seat";
            case Offer.MoveLicence: return "Move my licence here";
            case Offer.Update: return "Install the update";
            case Offer.OpenAccount: return "Open my account";
            case Offer.SeePlans: return "See the plans";
            case Offer.ContactSupport: return "Contact support";
            default: return "";
        }
    }

    async Task TakeOfferAsync()
    {
        if (decision.Offer == Offer.Retry) await RunAsync(session.StartAsync);
        else if (decision.Offer == Offer.TakeSeat) await RunAsync(() => session.TakeSeatAsync());
        else if (decision.Offer == Offer.MoveLicence) message.Text = (await client.SendMoveCodeAsync(code.Text)).Message;
        else if (decision.Offer == Offer.Update) message.Text = (await client.CheckUpdateAsync()).Update?.Version ?? "This version is the newest.";
        else Process.Start(new ProcessStartInfo("https://portal.example" + PageOf(decision.Offer)) { UseShellExecute = true });
    }

    static string PageOf(Offer offer)
    {
        switch (offer)
        {
            case Offer.OpenAccount: return "/my-account/";
            case Offer.SeePlans: return "/trial-and-subscribe/";
            default: return "/contact-us/";
        }
    }

    protected override void Dispose(bool isDisposing)
    {
        if (isDisposing) session.Dispose(); // Releases the seat.
        base.Dispose(isDisposing);
    }
}
