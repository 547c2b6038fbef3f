"""The addresses of the API."""

from django.urls import path, re_path

from .views import (
    archives,
    boards,
    calls,
    combined,
    confirmations,
    contestants,
    description,
    differences,
    directing,
    exports,
    flags,
    games,
    guides,
    jobs,
    lists,
    matches,
    objections,
    penalties,
    prints,
    ratings,
    register,
    registration,
    rehearsals,
    results,
    rounds,
    rulings,
    slip_photos,
    substitutions,
    tournaments,
)

urlpatterns = [
    path("schema/", description.Schema.as_view(), name="schema"),
    path("games/", games.Games.as_view(), name="games"),
    path("games/<str:game>/", games.OneGame.as_view(), name="game"),
    path("games/<str:game>/preview/", games.GamePreview.as_view(), name="game-preview"),
    path("tournaments/", tournaments.Tournaments.as_view(), name="tournaments"),
    path("tournaments/<int:pk>/", tournaments.OneTournament.as_view(), name="tournament"),
    path(
        "tournaments/<int:pk>/sessions/", tournaments.TournamentSessions.as_view(), name="tournament-sessions"
    ),
    path(
        "tournaments/<int:pk>/evenings/", tournaments.TournamentEvenings.as_view(), name="tournament-evenings"
    ),
    path("tournaments/<int:pk>/archives/", archives.TournamentArchives.as_view(), name="tournament-archives"),
    path(
        "tournaments/<int:pk>/archived-sessions/",
        archives.ArchivedSessions.as_view(),
        name="archived-sessions",
    ),
    path(
        "tournaments/<int:pk>/standings/", combined.TournamentStandings.as_view(), name="tournament-standings"
    ),
    path(
        "tournaments/<int:pk>/divisions/", ratings.TournamentDivisions.as_view(), name="tournament-divisions"
    ),
    path("clubs/<str:club>/ratings/", ratings.Ratings.as_view(), name="club-ratings"),
    path("clubs/<str:club>/penalties/", penalties.ClubPenalties.as_view(), name="club-penalties"),
    path(
        "clubs/<str:club>/penalties/<int:penalty>/state/",
        penalties.PenaltyState.as_view(),
        name="club-penalty-state",
    ),
    path("clubs/<str:club>/players/", register.ClubPlayers.as_view(), name="club-players"),
    path("clubs/<str:club>/players/bulk/", register.ClubPlayersInBulk.as_view(), name="club-players-bulk"),
    path("clubs/<str:club>/players/<int:pk>/", register.ClubPlayer.as_view(), name="club-player"),
    path(
        "tournaments/<int:pk>/registration-lists/",
        registration.TournamentLists.as_view(),
        name="registration-lists",
    ),
    path("registration-lists/<int:pk>/", registration.OneList.as_view(), name="registration-list"),
    path(
        "registration-lists/<int:pk>/registrations/",
        registration.ListRegistrations.as_view(),
        name="list-registrations",
    ),
    path(
        "registrations/<int:pk>/players/",
        registration.RegistrationPlayers.as_view(),
        name="registration-players",
    ),
    path("jobs/<uuid:pk>/", jobs.OneJob.as_view(), name="job"),
    path("jobs/<uuid:pk>/state/", jobs.JobState.as_view(), name="job-state"),
    path("movements/", tournaments.Movements.as_view(), name="movements"),
    path("sessions/<int:pk>/", directing.OneSession.as_view(), name="session"),
    path("sessions/<int:pk>/state/", directing.SessionState.as_view(), name="session-state"),
    path("sessions/<int:pk>/flags/", flags.SessionFlags.as_view(), name="session-flags"),
    path("sessions/<int:pk>/calls/", calls.Calls.as_view(), name="session-calls"),
    path("sessions/<int:pk>/calls/<int:call>/state/", calls.CallState.as_view(), name="call-state"),
    path("sessions/<int:pk>/announcements/", calls.Announcements.as_view(), name="session-announcements"),
    path(
        "sessions/<int:pk>/announcements/<int:announcement>/",
        calls.OneAnnouncement.as_view(),
        name="session-announcement",
    ),
    path("sessions/<int:pk>/clock/", rounds.SessionClock.as_view(), name="session-clock"),
    path("sessions/<int:pk>/rounds/", rounds.SessionRounds.as_view(), name="session-rounds"),
    path("sessions/<int:pk>/rounds/<int:number>/state/", rounds.RoundState.as_view(), name="round-state"),
    path("sessions/<int:pk>/rounds/<int:number>/pause/", rounds.RoundPause.as_view(), name="round-pause"),
    path(
        "sessions/<int:pk>/rounds/<int:number>/extensions/",
        rounds.RoundExtensions.as_view(),
        name="round-extensions",
    ),
    path("sessions/<int:pk>/rounds/<int:number>/seated/", rounds.RoundSeated.as_view(), name="round-seated"),
    path(
        "sessions/<int:pk>/confirmations/",
        confirmations.Confirmations.as_view(),
        name="session-confirmations",
    ),
    path(
        "sessions/<int:pk>/publication/", directing.SessionPublication.as_view(), name="session-publication"
    ),
    path(
        "sessions/<int:pk>/public-value/", directing.SessionPublicValue.as_view(), name="session-public-value"
    ),
    path("sessions/<int:pk>/reserves/", directing.Reserves.as_view(), name="session-reserves"),
    path(
        "sessions/<int:pk>/substitutions/",
        substitutions.Substitutions.as_view(),
        name="session-substitutions",
    ),
    path(
        "sessions/<int:pk>/substitutions/<int:substitution>/state/",
        substitutions.SubstitutionState.as_view(),
        name="substitution-state",
    ),
    path(
        "sessions/<int:pk>/contestants/",
        contestants.SessionContestants.as_view(),
        name="session-contestants",
    ),
    path("sessions/<int:pk>/replans/", directing.Replans.as_view(), name="session-replans"),
    path("rehearsals/", rehearsals.Rehearsals.as_view(), name="rehearsals"),
    path("sessions/<int:pk>/reseatings/", directing.Reseatings.as_view(), name="session-reseatings"),
    path(
        "sessions/<int:pk>/guides/contestants/", guides.ContestantGuides.as_view(), name="contestant-guides"
    ),
    path("sessions/<int:pk>/guides/tables/", guides.TableGuides.as_view(), name="table-guides"),
    path("sessions/<int:pk>/guides/boards/", guides.BoardGuides.as_view(), name="board-guides"),
    path("sessions/<int:pk>/table-links/", directing.TableLinks.as_view(), name="session-table-links"),
    path("sessions/<int:pk>/table-tokens/", directing.TableTokens.as_view(), name="session-table-tokens"),
    path("sessions/<int:pk>/boards/", boards.SessionBoards.as_view(), name="session-boards"),
    path("sessions/<int:pk>/deals/", boards.SessionDeals.as_view(), name="session-deals"),
    path("sessions/<int:pk>/boards/<int:number>/traveller/", boards.OneTraveller.as_view(), name="traveller"),
    path("sessions/<int:pk>/boards/<int:number>/lists/", boards.Lists.as_view(), name="board-lists"),
    path("sessions/<int:pk>/boards/<int:number>/proof/", boards.Proof.as_view(), name="board-proof"),
    path("sessions/<int:pk>/exports/<str:what>/", exports.SessionExport.as_view(), name="session-export"),
    path("sessions/<int:pk>/archives/", archives.SessionArchives.as_view(), name="session-archives"),
    path("archives/<uuid:pk>/", archives.OneArchive.as_view(), name="archive"),
    path("sessions/<int:pk>/prints/", prints.SessionPrints.as_view(), name="session-prints"),
    path("prints/<uuid:pk>/", prints.OnePrint.as_view(), name="print"),
    path("sessions/<int:pk>/plays/", results.SessionPlays.as_view(), name="session-plays"),
    path("sessions/<int:pk>/submissions/", results.SessionSubmissions.as_view(), name="session-submissions"),
    path(
        "sessions/<int:pk>/submissions/bulk/",
        results.SessionSubmissionsInBulk.as_view(),
        name="session-submissions-bulk",
    ),
    path("sessions/<int:pk>/slip-photos/", slip_photos.SlipPhotos.as_view(), name="session-slip-photos"),
    path(
        "sessions/<int:pk>/slip-photos/<int:photo>/",
        slip_photos.OneSlipPhoto.as_view(),
        name="session-slip-photo",
    ),
    path("sessions/<int:pk>/ranking/", results.SessionRanking.as_view(), name="session-ranking"),
    path(
        "sessions/<int:pk>/ranking/versions/", differences.RankingVersions.as_view(), name="ranking-versions"
    ),
    path(
        "sessions/<int:pk>/ranking/difference/",
        differences.RankingDifference.as_view(),
        name="ranking-difference",
    ),
    path("sessions/<int:pk>/lists/", lists.SessionLists.as_view(), name="session-lists"),
    path("sessions/<int:pk>/lists/<int:listing>/", lists.OneSessionList.as_view(), name="session-list"),
    path("sessions/<int:pk>/lists/<int:listing>/places/", lists.ListPlaces.as_view(), name="list-places"),
    path("sessions/<int:pk>/matches/", matches.SessionMatches.as_view(), name="session-matches"),
    path("sessions/<int:pk>/match-rules/", matches.SessionMatchRules.as_view(), name="session-match-rules"),
    path("sessions/<int:pk>/next-round/", matches.NextRounds.as_view(), name="session-next-round"),
    path("sessions/<int:pk>/teams/", matches.SessionTeams.as_view(), name="session-teams"),
    path("sessions/<int:pk>/teams/<int:team>/", matches.OneTeam.as_view(), name="session-team"),
    path("sessions/<int:pk>/objections/", objections.Objections.as_view(), name="session-objections"),
    path(
        "sessions/<int:pk>/objections/<int:objection>/",
        objections.OneObjection.as_view(),
        name="session-objection",
    ),
    path(
        "sessions/<int:pk>/objections/<int:objection>/steps/",
        objections.ObjectionSteps.as_view(),
        name="objection-steps",
    ),
    path("sessions/<int:pk>/rulings/", rulings.Rulings.as_view(), name="session-rulings"),
    path("sessions/<int:pk>/rulings/preview/", rulings.RulingPreview.as_view(), name="ruling-preview"),
    path("sessions/<int:pk>/rulings/<int:ruling>/", rulings.OneRuling.as_view(), name="session-ruling"),
    path(
        "sessions/<int:pk>/rulings/<int:ruling>/reversal/",
        rulings.RulingReversal.as_view(),
        name="ruling-reversal",
    ),
    path("sessions/<int:pk>/rulings/<int:ruling>/state/", rulings.RulingState.as_view(), name="ruling-state"),
    path("sessions/<int:pk>/history/", results.SessionHistory.as_view(), name="session-history"),
    path("sessions/<int:pk>/history/seals/", results.SessionSeals.as_view(), name="session-seals"),
    path("submissions/<int:pk>/", results.OneSubmission.as_view(), name="submission"),
    re_path("", results.Nothing.as_view(), name="nothing"),
]
