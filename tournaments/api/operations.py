"""Every operation by name: its id (a verb and a noun, which generated clients call it by), what it does in a
line, and the resource that it belongs to. A new route joins its resource here."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """What generated clients and the page of the API call an operation."""

    name: str
    summary: str
    resource: str


@dataclass(frozen=True, slots=True)
class MadeAt:
    """Where something that was made can be read: a route, and its argument with the field that says it."""

    route: str
    argument: str
    field: str


MADE: Mapping[str, MadeAt] = {
    "tournaments": MadeAt("tournament", "pk", "id"),
    "events": MadeAt("event", "pk", "id"),
    "seasons": MadeAt("season", "pk", "id"),
    "webhooks": MadeAt("webhook", "pk", "id"),
    "club-players": MadeAt("club-player", "pk", "id"),
    "club-past-seasons": MadeAt("club-past-season", "pk", "id"),
    "registration-lists": MadeAt("registration-list", "pk", "id"),
    "session-lists": MadeAt("session-list", "listing", "number"),
    "session-objections": MadeAt("session-objection", "objection", "id"),
    "objection-steps": MadeAt("session-objection", "objection", "id"),
    "session-rulings": MadeAt("session-ruling", "ruling", "id"),
    "session-submissions": MadeAt("submission", "pk", "id"),
    "session-slip-photos": MadeAt("session-slip-photo", "photo", "id"),
}
"""By the route that makes it; the address of a job is its own affair."""

RESOURCES: Mapping[str, tuple[str, Mapping[str, tuple[str, str]]]] = {
    "games": (
        "What can be played, and what a result of it looks like.",
        {
            "GET games/": ("listGames", "The games that can be played"),
            "GET games/{game}/": ("getGame", "A game with its options and its result sheet"),
            "POST games/{game}/preview/": ("previewSheet", "What a result sheet would be worth"),
        },
    ),
    "tournaments": (
        "Tournaments, their sessions, and what several sessions come to.",
        {
            "GET tournaments/": ("listTournaments", "The tournaments that you may see"),
            "POST tournaments/": ("createTournament", "Create a tournament of your club"),
            "GET tournaments/{id}/": ("getTournament", "A tournament"),
            "PATCH tournaments/{id}/": ("changeTournament", "Mend the name of a tournament"),
            "GET tournaments/{id}/sessions/": ("listSessions", "The sessions of a tournament"),
            "POST tournaments/{id}/sessions/": ("createSession", "Set up a session with its boards sealed"),
            "POST tournaments/{id}/evenings/": ("importEvening", "Hand in an evening that was kept on paper"),
            "GET tournaments/{id}/standings/": ("getStandings", "Several sessions combined"),
            "GET tournaments/{id}/divisions/": ("getDivisions", "Who goes up and down between divisions"),
            "GET movements/": ("listMovements", "The movements that would do for an evening"),
        },
    ),
    "partners": (
        "For those who build on the service: what has happened, asked for or told.",
        {
            "GET feed/": ("listFeedItems", "What has happened that you may know, in order"),
            "GET webhooks/": ("listWebhooks", "The addresses that are told what happens"),
            "POST webhooks/": ("createWebhook", "Have an address told what happens"),
            "GET webhooks/{id}/": ("getWebhook", "An address that is told what happens"),
            "PUT webhooks/{id}/state/": ("changeWebhookState", "Switch a webhook on or off, or remove it"),
            "POST webhooks/{id}/secrets/": ("createWebhookSecret", "Give a webhook a new secret"),
            "GET webhooks/{id}/deliveries/": ("listDeliveries", "What was sent, and what was answered"),
            "POST webhooks/{id}/deliveries/": ("createDelivery", "Send a test"),
            "PUT webhooks/{id}/deliveries/{delivery}/state/": ("changeDeliveryState", "Send a message again"),
        },
    ),
    "events": (
        "Simultaneous events: many clubs play the same boards, each in a session of its own.",
        {
            "GET events/": ("listEvents", "The events that you may see"),
            "POST events/": ("createEvent", "Create an event of your club or the federation"),
            "GET events/{id}/": ("getEvent", "An event"),
            "PATCH events/{id}/": ("changeEvent", "Change the terms of an event"),
            "PUT events/{id}/state/": ("changeEventState", "Announce an event"),
            "GET events/{id}/legs/": ("listLegs", "The legs of an event"),
            "POST events/{id}/legs/": ("addLeg", "Add a leg with its boards sealed for all clubs"),
            "GET legs/{id}/checks/": ("listChecks", "What is to be looked at across the clubs of a leg"),
            "POST legs/{id}/checks/": ("answerCheck", "Answer what a check has found"),
            "GET legs/{id}/entries/": ("listClubEntries", "The clubs that play a leg"),
            "POST legs/{id}/entries/": ("addClubEntries", "Invite clubs, or enter your own"),
            "GET legs/{id}/field/": ("getField", "The joint field of a leg, in its lists"),
            "GET legs/{id}/field/versions/": ("listFieldVersions", "The versions of a joint field"),
            "POST legs/{id}/reminders/": ("createReminders", "Ask by mail the clubs that are waited for"),
            "PUT entries/{id}/state/": ("changeClubEntryState", "Decide whether a club plays"),
        },
    ),
    "seasons": (
        "Many evenings of one game or of several, ranked together.",
        {
            "GET seasons/": ("listSeasons", "The seasons that you may read"),
            "POST seasons/": ("createSeason", "Create a season of your club or the federation"),
            "GET seasons/{id}/": ("getSeason", "A season with its rules"),
            "PATCH seasons/{id}/": ("changeSeason", "Change a season, its evenings or its divisions"),
            "DELETE seasons/{id}/": ("deleteSeason", "Delete the draft of a season"),
            "PUT seasons/{id}/state/": ("changeSeasonState", "Let everybody read a season, or end it"),
            "GET seasons/{id}/standing/": ("getSeasonStanding", "The standing of a season, in its lists"),
            "GET seasons/{id}/prizes/": ("getSeasonPrizes", "Who would go home with which prize"),
            "GET seasons/{id}/versions/": ("listSeasonVersions", "The versions of a standing"),
        },
    ),
    "players": (
        "A club's register, the ratings of its players, and its seasons of the years before.",
        {
            "GET clubs/{club}/players/": ("listPlayers", "The players in a club's register"),
            "POST clubs/{club}/players/": ("addPlayer", "Add a player to the register"),
            "POST clubs/{club}/players/bulk/": ("addPlayers", "Add many players to the register at once"),
            "GET clubs/{club}/players/{id}/": ("getPlayer", "A player in the register"),
            "PATCH clubs/{club}/players/{id}/": ("changePlayer", "Change a player in the register"),
            "GET clubs/{club}/players/{id}/licence/": ("getLicence", "A player's licence"),
            "PUT clubs/{club}/players/{id}/licence/": ("changeLicence", "Say until when a licence holds"),
            "GET clubs/{club}/ratings/": ("listRatings", "The ratings of a club's players"),
            "POST clubs/{club}/ratings/": (
                "computeRatings",
                "Rate a club's players, from all sessions again",
            ),
            "DELETE clubs/{club}/ratings/": ("deleteRatings", "Rate a club's players no more"),
            "GET clubs/{club}/past-seasons/": ("listPastSeasons", "A club's seasons of the years before"),
            "POST clubs/{club}/past-seasons/": ("addPastSeason", "Bring a season as standings alone"),
            "GET clubs/{club}/past-seasons/{id}/": ("getPastSeason", "The standings of a past season"),
            "DELETE clubs/{club}/past-seasons/{id}/": ("deletePastSeason", "Delete a past season"),
        },
    ),
    "registration": (
        "Who wants to play: lists to enter.",
        {
            "GET tournaments/{id}/registration-lists/": (
                "listRegistrationLists",
                "The lists to enter for a tournament",
            ),
            "POST tournaments/{id}/registration-lists/": (
                "createRegistrationList",
                "Open a list to enter",
            ),
            "GET registration-lists/{id}/": ("getRegistrationList", "A list to enter"),
            "PUT registration-lists/{id}/": ("changeRegistrationList", "Change a list to enter"),
            "GET registration-lists/{id}/registrations/": ("listRegistrations", "Who has entered"),
            "POST registration-lists/{id}/registrations/": ("registerPlayers", "Enter players"),
            "PUT registrations/{id}/players/": ("changeRegistration", "Change who plays"),
        },
    ),
    "sessions": (
        "An evening: its states, its publication, and who plays in it after all.",
        {
            "GET sessions/{id}/": ("getSession", "A session"),
            "PATCH sessions/{id}/": ("changeSession", "Mend the name or the time of a session"),
            "DELETE sessions/{id}/": ("deleteSession", "Delete a draft or a trial"),
            "PUT sessions/{id}/state/": ("changeSessionState", "Bring a session into another state"),
            "PUT sessions/{id}/publication/": ("publishSession", "List a session publicly, or withdraw it"),
            "PUT sessions/{id}/public-value/": ("givePublicValue", "Give the announced public value"),
            "GET sessions/{id}/contestants/": ("listContestants", "The contestants of a session"),
            "PATCH sessions/{id}/contestants/": ("changeContestants", "Mend many contestants at once"),
            "POST sessions/{id}/replans/": ("replanRounds", "Plan the remaining rounds again"),
            "DELETE sessions/{id}/replans/": ("undoReplan", "Take the newest plan back"),
            "POST sessions/{id}/reseatings/": ("reseatTable", "Say who really sat where"),
            "GET sessions/{id}/substitutions/": ("listSubstitutions", "Who plays in whose place"),
            "POST sessions/{id}/substitutions/": (
                "createSubstitution",
                "Let somebody play in another's place",
            ),
            "PUT sessions/{id}/substitutions/{substitution}/state/": (
                "undoSubstitution",
                "Undo a substitution",
            ),
            "POST rehearsals/": ("startRehearsal", "Have robots play a copy of a session"),
        },
    ),
    "rounds": (
        "The clock: rounds are opened, paused, extended and closed.",
        {
            "GET sessions/{id}/rounds/": ("listRounds", "The rounds of a session with their clocks"),
            "PUT sessions/{id}/clock/": ("setClock", "Give the rounds a duration"),
            "DELETE sessions/{id}/clock/": ("removeClock", "Let the rounds run without a clock"),
            "PUT sessions/{id}/rounds/{number}/state/": ("changeRoundState", "Open or close a round"),
            "PUT sessions/{id}/rounds/{number}/pause/": ("pauseRound", "Pause a round, or go on"),
            "POST sessions/{id}/rounds/{number}/extensions/": ("extendRound", "Give a round more time"),
            "PUT sessions/{id}/rounds/{number}/seated/": ("reportSeated", "Say that a table has sat down"),
        },
    ),
    "tables": (
        "How tables come in, and what they and the director tell each other.",
        {
            "POST sessions/{id}/table-links/": ("createTableLinks", "Make links for the tables' phones"),
            "POST sessions/{id}/table-tokens/": ("createTableTokens", "Make tokens for the tables"),
            "GET sessions/{id}/calls/": ("listCalls", "The calls of the tables"),
            "POST sessions/{id}/calls/": ("createCall", "Call the director to a table"),
            "PUT sessions/{id}/calls/{call}/state/": ("changeCallState", "Answer a call, or take it back"),
            "GET sessions/{id}/announcements/": ("listAnnouncements", "What all tables were told"),
            "POST sessions/{id}/announcements/": ("createAnnouncement", "Tell all tables something"),
            "DELETE sessions/{id}/announcements/{announcement}/": (
                "withdrawAnnouncement",
                "Withdraw an announcement",
            ),
        },
    ),
    "boards": (
        "Boards: their hands once they may be seen, and the proof that they were not changed.",
        {
            "GET sessions/{id}/boards/": ("listBoards", "The boards of a session"),
            "GET sessions/{id}/deals/": ("getDeals", "The file that proves the deals"),
            "GET sessions/{id}/boards/{number}/traveller/": ("getTraveller", "The results of a board"),
            "GET sessions/{id}/boards/{number}/lists/": ("getDealingLists", "A board to be dealt by hand"),
            "GET sessions/{id}/boards/{number}/proof/": ("getProof", "The file that proves one board"),
            "POST sessions/{id}/reserves/": ("useReserve", "Put a reserve board in the place of another"),
        },
    ),
    "results": (
        "What tables hand in, and what looks doubtful about it.",
        {
            "GET sessions/{id}/plays/": ("listPlays", "Who sits where, and the results"),
            "GET sessions/{id}/submissions/": ("listSubmissions", "What was handed in"),
            "POST sessions/{id}/submissions/": ("submitResult", "Hand in a result"),
            "POST sessions/{id}/submissions/bulk/": ("submitResults", "Hand in many results at once"),
            "POST sessions/{id}/result-files/": ("importResults", "Bring results, or plays, as a file"),
            "GET submissions/{id}/": ("getSubmission", "What was handed in, and what became of it"),
            "POST sessions/{id}/confirmations/": ("confirmResult", "Confirm a result that another side gave"),
            "GET sessions/{id}/slip-photos/": ("listSlipPhotos", "The photographs of paper slips"),
            "POST sessions/{id}/slip-photos/": ("addSlipPhoto", "Send a photograph of a paper slip"),
            "GET sessions/{id}/slip-photos/{photo}/": ("getSlipPhoto", "A photograph of a paper slip"),
            "GET sessions/{id}/flags/": ("listFlags", "What is missing, late or doubtful"),
        },
    ),
    "rulings": (
        "What directors decide, with what contestants say against it.",
        {
            "GET sessions/{id}/rulings/": ("listRulings", "The rulings of a session"),
            "POST sessions/{id}/rulings/": ("createRuling", "Rule on a play or a contestant"),
            "POST sessions/{id}/rulings/preview/": ("previewRuling", "Whom a ruling would move"),
            "GET sessions/{id}/rulings/{ruling}/": ("getRuling", "A ruling"),
            "GET sessions/{id}/rulings/{ruling}/reversal/": (
                "previewReversal",
                "Whom the reversal of a ruling would move",
            ),
            "PUT sessions/{id}/rulings/{ruling}/state/": ("reverseRuling", "Reverse a ruling"),
            "GET clubs/{club}/penalties/": ("listPenalties", "The penalties and bonuses of a club"),
            "POST clubs/{club}/penalties/": ("addPenalty", "Add to the club's penalties and bonuses"),
            "PUT clubs/{club}/penalties/{penalty}/state/": ("retirePenalty", "Retire a penalty or bonus"),
            "GET clubs/{club}/formulas/": (
                "listFormulas",
                "The formulas by which a club gives master points",
            ),
            "POST clubs/{club}/formulas/": ("addFormula", "Add a formula for master points"),
            "PUT clubs/{club}/formulas/{formula}/state/": ("retireFormula", "Retire a formula"),
            "GET clubs/{club}/master-points/": ("listMasterPoints", "The master points of a club's players"),
            "GET sessions/{id}/objections/": ("listObjections", "The objections of contestants"),
            "POST sessions/{id}/objections/": ("createObjection", "Object to a result or ruling"),
            "GET sessions/{id}/objections/{objection}/": ("getObjection", "An objection"),
            "POST sessions/{id}/objections/{objection}/steps/": (
                "addObjectionStep",
                "Answer an objection, appeal, decide or withdraw",
            ),
        },
    ),
    "rankings": (
        "Rankings and lists, in all their versions.",
        {
            "GET sessions/{id}/ranking/": ("getRanking", "The ranking of a session"),
            "GET sessions/{id}/ranking/versions/": ("listRankingVersions", "The versions of a ranking"),
            "GET sessions/{id}/ranking/difference/": (
                "getRankingDifference",
                "Who moved between two versions, and why",
            ),
            "GET sessions/{id}/lists/": ("listSessionLists", "The lists of a session"),
            "POST sessions/{id}/lists/": ("createSessionList", "Set up a list"),
            "GET sessions/{id}/lists/{listing}/": ("getSessionList", "How a list is made"),
            "PUT sessions/{id}/lists/{listing}/": ("changeSessionList", "Change how a list is made"),
            "DELETE sessions/{id}/lists/{listing}/": ("deleteSessionList", "Remove a list"),
            "GET sessions/{id}/lists/{listing}/places/": ("getListPlaces", "The places of a list"),
        },
    ),
    "matches": (
        "Teams, Swiss, knock-out and round robin.",
        {
            "GET sessions/{id}/matches/": ("listMatches", "The matches of a session"),
            "GET sessions/{id}/match-rules/": ("getMatchRules", "What a match is worth"),
            "PUT sessions/{id}/match-rules/": ("setMatchRules", "Say what a match is worth"),
            "POST sessions/{id}/next-round/": ("planNextRound", "Plan the next round from the standings"),
            "DELETE sessions/{id}/next-round/": ("undoNextRound", "Take the planned round back"),
            "GET sessions/{id}/teams/": ("listTeams", "The teams of a session"),
            "GET sessions/{id}/teams/{team}/": ("getTeam", "A team"),
            "PUT sessions/{id}/teams/{team}/": ("changeTeam", "Change the name or the order of a team"),
        },
    ),
    "paper": (
        "What is printed, and what is taken away as a file.",
        {
            "GET sessions/{id}/guides/contestants/": ("listContestantGuides", "Where each contestant sits"),
            "GET sessions/{id}/guides/tables/": ("listTableGuides", "Who comes to each table"),
            "GET sessions/{id}/guides/boards/": ("listBoardGuides", "Where each board goes"),
            "POST sessions/{id}/archives/": ("createArchive", "Have a session made into an archive"),
            "POST tournaments/{id}/archives/": (
                "createTournamentArchive",
                "Have a tournament made into an archive",
            ),
            "POST tournaments/{id}/archived-sessions/": (
                "importArchive",
                "Take in the sessions of an archive",
            ),
            "GET archives/{id}/": ("getArchive", "An archive that was made"),
            "POST sessions/{id}/prints/": ("createPrint", "Have a PDF made"),
            "GET prints/{id}/": ("getPrint", "A PDF that was made"),
            "GET sessions/{id}/exports/{what}/": ("exportTable", "A ranking or all results as a file"),
        },
    ),
    "history": (
        "Who did what when.",
        {
            "GET sessions/{id}/history/": ("listHistory", "The history of a session"),
            "GET sessions/{id}/history/seals/": ("listSeals", "The seals on the history of a session"),
        },
    ),
    "jobs": (
        "Long work, and how far it is.",
        {
            "GET jobs/{id}/": ("getJob", "How far a job is"),
            "PUT jobs/{id}/state/": ("cancelJob", "Give a job up"),
        },
    ),
}
OPERATIONS: Mapping[str, Operation] = {
    route: Operation(name, summary, resource)
    for resource, (_about, operations) in RESOURCES.items()
    for route, (name, summary) in operations.items()
}
TAGS = [{"name": resource, "description": about} for resource, (about, _operations) in RESOURCES.items()]
