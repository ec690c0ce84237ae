using System;
using System.IO;
using System.Threading.Tasks;
using LicencePortal;

/// <summary>Activates this device, checks the licence and reports a conversion. Run it again without a network.</summary>
static class Program
{
    static int Main(string[] arguments) => RunAsync(arguments).GetAwaiter().GetResult();

    static async Task<int> RunAsync(string[] arguments)
    {
        if (arguments.Length == 0)
        {
            Console.WriteLine("Usage: ConsoleSample <address> [licence code]");
            return 2;
        }
        var client = new LicenceClient(new LicenceSettings
        {
            Address = new Uri(arguments[0]),
            Sandbox = true, // Test builds only.
            AddInVersion = "7.2.0",
            Folder = Environment.GetEnvironmentVariable("LICENCE_FOLDER") ?? Path.Combine(Path.GetTempPath(), "licence-sample"),
        });
        using (var session = new LicenceSession(client))
        {
            var decision = arguments.Length > 1 ? await client.ActivateAsync(arguments[1]) : await session.StartAsync();
            if (decision.Reason == Reason.SeatNeeded) decision = await session.StartAsync();
            Console.WriteLine(decision.CanRun ? "You can work until " + decision.Until?.ToString("u") : "Not now: " + decision.Message);
            foreach (var warning in decision.Warnings) Console.WriteLine("Note: " + LicenceTexts.OfWarning(warning));
            if (!decision.CanRun) return 1;
            await client.RecordUsageAsync(); // Before each conversion.
            Console.WriteLine((await client.ReportUsageAsync()).Waiting + " conversions wait for a network");
            return 0;
        }
    }
}
